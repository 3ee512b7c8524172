import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../../entry/documents.js";
import { tameLine } from "../../entry/messages.js";
import type { Speed } from "../../entry/reports.js";
import type { RescuePlace, Session } from "../../entry/session.js";
import { type Owner, PRIVATE, placeFile, StateError, type Store, sealRescue } from "../../entry/stores.js";
import { type Diagnostic, hasErrors, stateFolder } from "../../entry/values.js";
import { codeOf, interrupted, rescued, stateFault } from "../exitCode.js";
import { openStore, stateKeys } from "../open/store.js";
import { connect, type Tenant } from "../open/tenant.js";
import { printDiagnostics } from "../print/diagnostics.js";
import type { RunFailure } from "../print/failing.js";
import type { SettingFlags } from "../settings/flags.js";
import { openProject, type Project } from "../settings/project.js";
import { pipelineOf } from "../world/pipeline.js";
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
  /** Null if the command does not call the service. */
  readonly tenant: Tenant | null;
  readonly owner: Owner;
  /** A name that no other run has. */
  readonly id: string;
  /** Where answers go that the store does not take: the path is the last line of the output. */
  readonly rescue: RescueFile;
}

/** How a run is opened. */
export interface Opening {
  readonly command: string;
  readonly flags: SettingFlags & { readonly verbose?: boolean };
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
  const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, world.stderr, diagnostics);
  const fail = opening.fail ?? (async ({ code }: RunFailure) => code);
  const project = await openProject(world, opening.flags);
  if (project.diagnostics.length > 0) tell(project.diagnostics);
  if (hasErrors(project.diagnostics))
    return fail({
      project: project.value,
      diagnostics: project.diagnostics,
      code: codeOf("invalid settings"),
    });

  const log =
    opening.flags.verbose === true ? (line: string) => world.stderr.write(`${tameLine(line)}\n`) : null;
  const tenant = opening.tenant ? await connect(world, project.value, log) : { value: null, diagnostics: [] };
  if (tenant.diagnostics.length > 0) tell(tenant.diagnostics);
  if (opening.tenant && tenant.value === null)
    return fail({
      project: project.value,
      diagnostics: tenant.diagnostics,
      code: codeOf("invalid settings"),
    });
  // The token comes while git, the state and the manifests are read.
  tenant.value?.client.signIn();

  const id = world.unique();
  const rescue = rescueFile(world, project.value, id);
  try {
    const opened = await openStore(world, project.value);
    const store = opening.ofState === true ? opened : await storeToPlan(world, project.value, opened);
    const owner = ownerOf(world, opening.command);
    const found = [...project.diagnostics, ...tenant.diagnostics];
    const run = { world, project: project.value, found, store, tenant: tenant.value, owner, id, rescue };
    return lastLine(await work(run));
  } catch (error) {
    if (isSignal(error)) {
      world.stderr.write("\nInterrupted. Nothing was changed in the tenant.\n");
      return interrupted(error);
    }
    const file = rescue.path();
    if (!(error instanceof StateError)) throw file === null ? error : new MistakeWithRescue(error, file);
    const { diagnostic } = error;
    tell([diagnostic]);
    const code = rescued(stateFault(diagnostic), file);
    return lastLine(await fail({ project: project.value, diagnostics: [diagnostic], code }));
  } finally {
    await tenant.value?.close();
  }

  function lastLine(code: number): number {
    const file = rescue.path();
    if (file !== null) world.stderr.write(`${file}\n`);
    return code;
  }
}

/** The ports that the engine works with in a run. */
export function sessionOf({ store, tenant, world, project }: Run): Session {
  const { requestTimeout } = project.settings;
  return { store, client: tenant?.client ?? null, clock: world.clock, requestTimeout: requestTimeout.value };
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
  const name = `rescue-${run.replace(/[^\w-]/g, "")}.json`;
  const keys = stateKeys({ env });
  const own = stateFolder(world.env);
  const folders = [...(own === null ? [] : [join(own, "rescue")]), join(tmpdir(), `remit-rescue-${name}`)];
  const outside = folders.filter((folder) => !isWithin(root, folder));
  let path: string | null = null;

  return {
    path: () => path,
    async keep(text) {
      const sealed = sealRescue(text, keys);
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
