import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../../apply/session.js";
import type { RescuePlace } from "../../apply/underLock.js";
import { isWithin } from "../../manifest/files.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { type Environment, readVariable, stateFolder } from "../../model/variables.js";
import type { Speed } from "../../plan/estimate.js";
import { tameLine } from "../../report/text/visible.js";
import { PRIVATE, placeFile } from "../../state/durable.js";
import { sealRescue } from "../../state/encryption/rescue.js";
import { type Owner, StateError, type Store } from "../../state/store.js";
import { codeOf, interrupted, measuredCode, rescued, stateFault } from "../exitCode.js";
import { openStore, stateKeys } from "../open/store.js";
import { openTelemetry, type RunTelemetry } from "../open/telemetry.js";
import { connect, type Reached } from "../open/tenant.js";
import { printDiagnostics } from "../print/diagnostics.js";
import type { RunFailure } from "../print/failing.js";
import type { SettingFlags } from "../settings/flags.js";
import { openProject, type Project } from "../settings/project.js";
import { heldBack } from "../settings/withheld.js";
import { isSignal, type World } from "../world/world.js";
import { storeToPlan } from "./contextStore.js";
import { MistakeWithRescue } from "./mistake.js";

/** What a command works with: the project, its state, and the tenant if it needs one. */
export interface Run {
  readonly world: World;
  readonly project: Project;
  /** What opening the project and the tenant found. */
  readonly found: readonly Diagnostic[];
  readonly store: Store;
  /** Who has the state of a context that the working tree no longer has, in words; null for no one. */
  readonly givenTo: string | null;
  /** Null if the command does not call the service. */
  readonly tenant: Reached | null;
  readonly owner: Owner;
  /** A name that no other run has. */
  readonly id: string;
  /** Where answers go that the store does not take: the path is the last line of the output. */
  readonly rescue: RescueFile;
  /** Null where nothing is measured. */
  readonly telemetry: RunTelemetry | null;
}

/** How a run is opened. */
interface Opening {
  readonly command: string;
  readonly flags: SettingFlags & { readonly verbose?: boolean; readonly metrics?: string };
  readonly tenant: boolean;
  /** Whether it is about the state itself; a plan needs one that is of its context alone. */
  readonly ofState?: boolean;
  /** Ends a run that came to no result, after its diagnostics are printed; gives the exit code. */
  readonly fail?: (failure: RunFailure) => Promise<number>;
}

/** Opens a project, its state and its tenant, does the work, and closes them; gives the exit code. */
export async function withRun(
  world: World,
  opening: Opening,
  work: (run: Run) => Promise<number>,
): Promise<number> {
  const { command, flags } = opening;
  const tell = (diagnostics: readonly Diagnostic[]) => {
    if (diagnostics.length > 0) printDiagnostics(world, diagnostics);
  };
  const fail = opening.fail ?? (async ({ code }: RunFailure) => code);
  const opened = await openProject(world, flags);
  const project = opened.value;
  const { metrics } = flags;
  const measuring = await openTelemetry(world, { command, metrics, project: project.settings.project.value });
  const telemetry = measuring.value;
  const wrong = [...opened.diagnostics, ...measuring.diagnostics];
  tell(wrong);
  const refuse = (diagnostics: readonly Diagnostic[]) =>
    fail({ project, diagnostics, code: codeOf("invalid settings") });
  if (hasErrors(wrong)) return finish(await refuse(wrong), null);
  const held = heldBack(command, project.held);
  if (held !== null) {
    tell([held]);
    const code = codeOf(hasErrors([held]) ? "invalid settings" : "done");
    return finish(await fail({ project, diagnostics: [held], code }), null);
  }

  const log = flags.verbose === true ? (line: string) => world.stderr.write(`${tameLine(line)}\n`) : null;
  const heard = { log, watch: telemetry?.watch ?? null };
  const tenant = opening.tenant ? await connect(world, project, heard) : { value: null, diagnostics: [] };
  tell(tenant.diagnostics);
  if (opening.tenant && tenant.value === null) return finish(await refuse(tenant.diagnostics), null);
  // The token comes while git, the state and the manifests are read.
  tenant.value?.client.signIn();

  const id = world.unique();
  const rescue = rescueFile(world, project, id);
  const end = async (code: number) => lastLine(await finish(code, tenant.value));
  try {
    const own = await openStore(world, project);
    const { store, givenTo } =
      opening.ofState === true ? { store: own, givenTo: null } : await storeToPlan(world, project, own);
    const owner = ownerOf(world, command);
    const found = [...opened.diagnostics, ...tenant.diagnostics];
    return await end(
      await work({
        world,
        project,
        found,
        store,
        givenTo,
        tenant: tenant.value,
        owner,
        id,
        rescue,
        telemetry,
      }),
    );
  } catch (error) {
    if (isSignal(error)) {
      world.stderr.write("\nInterrupted. Nothing was changed in the tenant.\n");
      return finish(interrupted(error), tenant.value);
    }
    const file = rescue.path();
    if (!(error instanceof StateError)) {
      await finish(codeOf("mistake"), tenant.value);
      throw file === null ? error : new MistakeWithRescue(error, file);
    }
    const { diagnostic } = error;
    tell([diagnostic]);
    const code = rescued(stateFault(diagnostic), file);
    return await end(await fail({ project, diagnostics: [diagnostic], code }));
  } finally {
    await tenant.value?.close();
  }

  /** Ends what is measured; a file that was not written fails a run that was done. */
  async function finish(code: number, reached: Reached | null): Promise<number> {
    const found = (await telemetry?.end(code, reached?.client.report().throttled ?? null)) ?? [];
    tell(found);
    return measuredCode(code, found);
  }

  function lastLine(code: number): number {
    const file = rescue.path();
    if (file !== null) world.stderr.write(`${file}\n`);
    return code;
  }
}

/** The same for a command that is about the state itself, and calls no service. */
export function withState(
  world: World,
  command: string,
  flags: Opening["flags"],
  work: (run: Run) => Promise<number>,
): Promise<number> {
  return withRun(world, { command, flags, tenant: false, ofState: true }, work);
}

/** The ports that the engine works with in a run. */
export function sessionOf({ store, tenant, world, project }: Run): Session {
  const { requestTimeout, createLag } = project.settings;
  return {
    store,
    client: tenant?.client ?? null,
    clock: world.clock,
    requestTimeout: requestTimeout.value,
    createLag: createLag.value,
  };
}

/** How fast the tenant was in this run, and how fast its state is; null where the tenant was not asked. */
export function speedOf({ tenant, store }: Run): Speed | null {
  if (tenant === null) return null;
  const { replyTime, perSecond, width, widest } = tenant.client.report();
  return { replyTime, perSecond, width, widest, rhythm: store.rhythm };
}

function ownerOf({ clock, random, process, env }: World, command: string): Owner {
  return {
    id: Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36),
    host: process.host,
    pid: process.pid,
    command: `remit ${command}`,
    since: new Date(clock.now()).toISOString(),
    ...pipelineOf(env),
  };
}

/** A file for answers that the store does not take. */
interface RescueFile extends RescuePlace {
  /** Its path while it is there; null where it is not. */
  readonly path: () => string | null;
}

/** A place of this user alone, outside the project. */
function rescueFile(world: World, { root, env }: Project, run: string): RescueFile {
  let path: string | null = null;

  return {
    path: () => path,
    async keep(text) {
      const name = `rescue-${run.replace(/[^\w-]/g, "")}.json`;
      const own = stateFolder(world.env);
      const folders = [
        ...(own === null ? [] : [join(own, "rescue")]),
        join(tmpdir(), `remit-rescue-${name}`),
      ];
      const outside = folders.filter((folder) => !isWithin(root, folder));
      const sealed = sealRescue(text, stateKeys({ env }));
      let fault: unknown = new Error("no folder is outside of the project");
      for (const folder of outside) {
        try {
          const file = join(folder, name);
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await placeFile(file, [sealed], { mode: PRIVATE, owner: null });
          path = file;
          return file;
        } catch (error) {
          fault = error;
        }
      }
      throw fault;
    },
    async drop() {
      if (path !== null) await rm(path, { force: true });
      path = null;
    },
  };
}

/** The job of a pipeline that this process is, and who started it. */
export function pipelineOf(env: Environment): Pick<Owner, "job" | "user"> {
  const read = (name: Parameters<typeof readVariable>[1]) => readVariable(env, name) ?? null;
  const user = read("GITHUB_ACTOR") ?? read("GITLAB_USER_LOGIN") ?? read("USER");
  const [server, repository, run] = [
    read("GITHUB_SERVER_URL"),
    read("GITHUB_REPOSITORY"),
    read("GITHUB_RUN_ID"),
  ];
  const isWhole = server !== null && repository !== null && run !== null;
  return { job: isWhole ? `${server}/${repository}/actions/runs/${run}` : read("CI_JOB_URL"), user };
}
