import { resolve } from "node:path";
import { isWithin } from "../../manifest/files.js";
import type { DecidedProject } from "../../manifest/git/decidingFiles.js";
import type { EarlierProject } from "../../manifest/git/earlierProject.js";
import { commitOf, findCheckout, openGit } from "../../manifest/git/git.js";
import { type Checked, type Diagnostic, hasErrors, strictly } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import { FIRST_RUN, parseAcknowledgement } from "../../plan/guards/acknowledge.js";
import type { Mode } from "../../plan/plan.js";
import type { Mainline, Request } from "../../plan/request.js";
import { lastAppliedIn as recorded } from "../../plan/since/unapplied.js";
import { readStateAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import { folderInCheckout } from "../forge/nameOf.js";
import { namesPeople } from "../print/namesPeople.js";
import type { FlagsOf, SettingFlags } from "../settings/flags.js";
import { manifestPaths, type Project, readingOf } from "../settings/project.js";
import { namesProject, projectName } from "../settings/projectName.js";
import type { World } from "../world/world.js";
import { givenAway } from "./contextStore.js";
import type { choiceFlags } from "./flags.js";
import { guarded } from "./ownGuards.js";
import type { Run } from "./run.js";

/** The flags of every command that plans. */
type PlanningFlags = SettingFlags &
  FlagsOf<Omit<typeof choiceFlags, "firstRun">> & { readonly firstRun?: boolean };

/** What a command line asks of a plan; null where it names a commit that this checkout does not have. */
export async function requestFrom(
  run: Run,
  flags: PlanningFlags,
  mode: Pick<Mode, "offline" | "refreshOnly">,
  paths: readonly string[],
): Promise<Checked<Request | null>> {
  const { world, project } = run;
  if (flags.since === undefined) {
    const request = await requestSince(null, [], run, flags, mode, paths);
    return unlessRefused(request, [], pruneUnnamed(request, run));
  }
  const ref = flags.since === "" ? await lastApplied(run) : flags.since;
  if (ref === null) return { value: null, diagnostics: [say("since/never-applied")] };
  const { current } = project.contexts;
  const { readEarlierProject } = await import("../../manifest/git/earlierProject.js");
  const past = await readEarlierProject(project.root, ref, gitEnvironment(world.env), current);
  const told = [...past.diagnostics, ...(project.hasFile ? [] : [say("since/no-project#now")])];
  const diagnostics = flags.strict ? strictly(told) : told;
  if (past.value === null || hasErrors(diagnostics)) return { value: null, diagnostics };
  const asked = await requestSince(past.value, diagnostics, run, flags, mode, paths);
  const request = { ...asked, history: { ...asked.history, isRecorded: flags.since === "" } };
  return unlessRefused(request, diagnostics, pruneUnnamed(request, run));
}

/** The same with the guards that teams wrote, for a plan that someone reads or applies. */
export async function guardedRequest(
  ...asked: Parameters<typeof requestFrom>
): Promise<Checked<Request | null>> {
  const [{ world, project }] = asked;
  return guarded(await requestFrom(...asked), world, project);
}

/** What a command asks of a plan that it makes for itself: the whole project, as it stands. */
export function wholeRequest(
  run: Run,
  flags: SettingFlags,
  impact: PlanningFlags["impact"],
  offline = false,
): Promise<Request> {
  const choice = { ...flags, prune: false, impact, people: false, strict: false };
  return requestSince(null, [], run, choice, { offline, refreshOnly: false }, []);
}

function unlessRefused(
  request: Request,
  told: readonly Diagnostic[],
  refused: readonly Diagnostic[],
): Checked<Request | null> {
  return { value: refused.length > 0 ? null : request, diagnostics: [...told, ...refused] };
}

/** Where others keep states, one without a project's name may be another project's. */
function pruneUnnamed({ mode, project: { name } }: Request, { project }: Run): readonly Diagnostic[] {
  const { state } = project.settings;
  if (!mode.prune || namesProject(name) || isOwnFile(project.root, state.value)) return [];
  return [say("state/unnamed#pruneUnnamed")];
}

function isOwnFile(root: string, state: string): boolean {
  const address = readStateAddress(state);
  return address.as === "file" && isWithin(root, resolve(root, address.path));
}

/** Enough for the names that a reader looks at; a plan of many objects shows the other ids as they are. */
const NAME_CALLS = 20;

async function requestSince(
  since: EarlierProject | null,
  told: readonly Diagnostic[],
  { world, project, found, givenTo, tenant }: Run,
  flags: PlanningFlags,
  { offline, refreshOnly }: Pick<Mode, "offline" | "refreshOnly">,
  paths: readonly string[],
): Promise<Request> {
  const { root, settings, isDeparted } = project;
  // The tree has no manifest of a context that it does not have.
  const ownPaths = isDeparted ? [] : manifestPaths(world, project, []);
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  return {
    project: {
      name: await projectName(world, project),
      manifests: {
        project: project.hasFile ? ownPaths : null,
        paths:
          isDeparted || (project.hasFile && paths.length === 0) ? [] : manifestPaths(world, project, paths),
        ...readingOf(project),
        stdin: () => world.stdin.bytes(),
        strict: flags.strict,
        tests: settings.tests.value.map((path) => resolve(root, path)),
        guards: settings.ownGuards.value.map((path) => resolve(root, path)),
      },
      commit: await commitOf(root, gitEnvironment(world.env)),
      removals: {
        decisions: settings.removed.value,
        isPruneStanding: settings.prunesAlways.value && !flags.prune,
      },
      moved: settings.moved.value,
      found: [...found, ...told, ...(givenTo === null ? [] : [givenAway(project, givenTo)])],
    },
    // Its manifests left with the state: the change removes nothing.
    history: {
      since: since === null || givenTo === null ? since : { ...since, sources: [], removed: [] },
      reviewed: null,
      mainline: mainlineOf(world, project),
    },
    tenant: {
      server: tenant?.name ?? settings.server.value ?? "none",
      interface: settings.interface.value,
      width: settings.concurrency.value,
      ownersLag: settings.ownersLag.value,
      lateSince: new Date(world.clock.now() - settings.ownersLag.value).toISOString(),
    },
    mode: {
      offline,
      refreshOnly,
      prune: flags.prune || settings.prunesAlways.value,
      cascade: [...settings.prunable.value.map((name) => `ResourceType/${name}`), ...(flags.cascade ?? [])],
      targets: flags.target ?? [],
      selector: flags.selector ?? null,
    },
    rules: {
      limits: settings.limits.value,
      acknowledgements: [
        ...[...(flags.acknowledge ?? []), ...(flags.firstRun ? [FIRST_RUN] : [])].map(parseAcknowledgement),
        ...settings.acknowledgements.value,
      ],
      today,
      settings: project.trust,
    },
    optional: {
      counting:
        flags.impact === "off"
          ? null
          : {
              about: "changes",
              calls: settings.impact.value.calls,
              names: namesPeople(world, flags, project) !== "nowhere",
              evaluate: world.evaluate,
              today: new Date(`${today}T00:00:00Z`),
            },
      nameCalls: offline ? 0 : NAME_CALLS,
    },
  };
}

/** The history of a project; null where it is in no checkout of git. */
function mainlineOf(world: Pick<World, "env" | "cwd">, project: Project): Mainline | null {
  const checkout = findCheckout(project.root);
  if (checkout === null) return null;
  const git = openGit(checkout, gitEnvironment(world.env));
  return {
    folder: folderInCheckout(project.root),
    async after(applied, end) {
      const { decidingFiles } = await import("../../manifest/git/decidingFiles.js");
      const { unappliedAfter } = await import("../../manifest/git/unapplied.js");
      const reviewed = project.trust.from?.commit ?? null;
      return unappliedAfter(git, applied, { end, reviewed }, (head) =>
        decidingFiles(git, { after: applied, head }, decidedProject(world, project)),
      );
    },
  };
}

/** Whose deciding files count. A settings file that the operator names decides, too, where it is in the checkout. */
export function decidedProject(
  { cwd }: Pick<World, "cwd">,
  { root, contexts, trust }: Pick<Project, "root" | "contexts" | "trust">,
): DecidedProject {
  const file = trust.from?.commit === null ? folderInCheckout(resolve(cwd, trust.from.named)) : "";
  return {
    folder: folderInCheckout(root),
    context: contexts.current,
    named: file === "" ? [] : [file],
  };
}

/** The last commit of this project whose change was applied completely, as the state records it; null where it does not. */
export async function lastApplied({
  store,
  project,
}: Pick<Run, "store" | "project">): Promise<string | null> {
  const { snapshot } = await store.read();
  return recorded(snapshot, folderInCheckout(project.root));
}
