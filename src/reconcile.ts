import type { Client } from "./api/client.js";
import type { Recorder } from "./apply/event.js";
import type { PlanToApply } from "./apply/job.js";
import { makeCheckpoint } from "./apply/journal/checkpoint.js";
import { makeJournal } from "./apply/journal/journal.js";
import { unseenCreates } from "./apply/journal/unseenCreates.js";
import { runPlan } from "./apply/run.js";
import type { Summary } from "./apply/summary.js";
import { readAhead } from "./current/ahead.js";
import { type AlsoListed, alsoListedIn } from "./current/alsoListed.js";
import { resolveEarlier, unclearAmong } from "./current/earlier.js";
import { type Current, type Desired, sumOf } from "./current/known.js";
import { lostAmong } from "./current/lostAmong.js";
import { type MovedAddress, movedDiagnostics } from "./current/movedAddress.js";
import { resolveAll } from "./current/names/resolveAll.js";
import { type Origin, openOrigin } from "./current/origin.js";
import { readAll } from "./current/readAll.js";
import { unselectedIn } from "./current/unselected.js";
import { kinds } from "./kinds/index.js";
import type { AskedInterface } from "./kinds/interface.js";
import { changesSince } from "./manifest/git/changes.js";
import type { EarlierProject, ProjectAtCommit } from "./manifest/git/earlierProject.js";
import type { Unapplied } from "./manifest/git/unapplied.js";
import { type LoadedProject, loadProject, type ProjectLoad } from "./manifest/project.js";
import { withUnclearFiles } from "./manifest/withUnclearFiles.js";
import { formatAddress } from "./model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "./model/diagnostic.js";
import type { AppliedWhen } from "./plan/estimate.js";
import type { Rules } from "./plan/guards/rules.js";
import { reviewedLabels } from "./plan/labels/reviewedLabels.js";
import { makePlan } from "./plan/make.js";
import type { Counting } from "./plan/people/counting.js";
import { type Mode, type Plan, showsReads } from "./plan/plan.js";
import { namedByKey, type Removals } from "./plan/removed/decision.js";
import { formerManifests } from "./plan/removed/formerManifests.js";
import { chosenAmong, removedFrom } from "./plan/removed/which.js";
import { isWriting } from "./plan/saved/effect.js";
import { isSelecting, isWhole, select } from "./plan/select/select.js";
import { otherServer } from "./plan/server.js";
import { comparedWith, eachOnce, removedSince, withoutHeld } from "./plan/since/since.js";
import type { ProjectChange } from "./plan/since/thisChange.js";
import { takenBy } from "./state/belonging.js";
import { type Applying, newSnapshot, type Snapshot } from "./state/snapshot.js";
import type { Ending, Lock } from "./state/store.js";

/** The history of a project in its checkout. */
export interface Mainline {
  /** The folder of the project in the checkout: the state records its last commit by it. */
  readonly folder: string;
  /** What was merged after that commit, up to another; null for the end of the main branch. */
  readonly after: (applied: string, end: string | null) => Promise<Unapplied | null>;
}

/** What a plan is asked for with. */
export interface Request {
  /** What the author wrote, in files and in settings. */
  readonly project: {
    /** What the state calls the project; null where it has no name. */
    readonly name: string | null;
    readonly manifests: ProjectLoad;
    readonly commit: string | null;
    readonly removals: Removals;
    /** Addresses that are called otherwise now. */
    readonly moved: readonly MovedAddress[];
    /** What was found before: in the settings and the history. A plan keeps it; absent for nothing. */
    readonly found?: readonly Diagnostic[];
  };
  readonly history: {
    /** The project as the commit has it that this change is compared with; null where it is not. */
    readonly since: EarlierProject | null;
    /** Whether the state says which commit that is. */
    readonly isRecorded?: boolean;
    /** The project as the commit of the settings in force has it; null where no guard asks for its labels. */
    readonly reviewed: ProjectAtCommit | null;
    /** Finds what was merged after the last commit that was applied completely; null without a history. */
    readonly mainline: Mainline | null;
  };
  readonly tenant: {
    /** What the state and the plan call it. */
    readonly server: string;
    readonly interface: AskedInterface;
    /** How many calls may be under way at once. */
    readonly width: number;
  };
  readonly mode: Mode;
  readonly rules: Rules;
  /** Reads that no step depends on. */
  readonly optional: {
    /** How people are counted; null to count none. */
    readonly counting: Counting | null;
    /** The most calls that look up what ids are called that are only shown; 0 for none. */
    readonly nameCalls: number;
  };
}

/** How a plan is made. */
export interface PlanOptions {
  readonly appliedWhen: AppliedWhen;
  /** Called after each read, with the number of reads that are done and of all that are known so far. */
  readonly progress: (done: number, total: number) => void;
  /** Hears what the lists show that the plan read anyway and that is not managed. */
  readonly foundUnmanaged?: (found: readonly AlsoListed[]) => void;
  /** Hears the manifests that the plan is about, before it asks the tenant about them. */
  readonly loaded?: (resources: LoadedProject["resources"]) => void;
  /** Hears what was seen of each object: a plan keeps nothing of those that it leaves as they are. */
  readonly seen?: (objects: Current["objects"], resources: LoadedProject["resources"]) => void;
  /** What a first look found: objects that the state remembers and that are gone. Absent where there was none. */
  readonly first?: { readonly gone: ReadonlySet<string>; readonly calls: Current["calls"] };
}

/** What the store remembers when a run starts. */
export interface Recalled {
  /** Null where the store contains no state. */
  readonly snapshot: Snapshot | null;
  /** Whether a state existed that is now missing. */
  readonly isStateLost: boolean;
}

/**
 * Text becomes resources; resources and the world become a plan. Null where an author's mistake stands in the way,
 * because half a plan would be shown as if it were all.
 */
export async function plan(
  request: Request,
  { snapshot, isStateLost }: Recalled,
  client: Client | null,
  options: PlanOptions,
): Promise<Checked<Plan | null>> {
  const {
    appliedWhen,
    progress,
    foundUnmanaged,
    seen,
    first = { gone: new Set<string>(), calls: {} },
  } = options;
  const { mode, rules } = request;
  const { manifests, commit, removals, moved } = request.project;
  const { since, reviewed } = request.history;
  const { server, interface: asked, width } = request.tenant;

  // Text becomes resources.
  const misplaced = otherServer(snapshot, server);
  const remote = mode.offline || misplaced.length > 0 ? null : client;
  const origin = openOrigin({ kinds, asked, remote, snapshot, moved, apps: manifests.apps ?? {}, progress });
  const ahead = isWhole(manifests, mode) ? readAhead(origin, width) : null;
  const loaded = await loadProject(manifests, remote?.turn);
  const isToPrune = mode.prune && !removals.isPruneStanding;
  const project = withUnclearFiles(loaded, (unclear) => formerManifests(unclear, since, snapshot), isToPrune);
  const { resources, sources } = project;
  const selected = select(project, mode);
  const mistakes = [...selected.diagnostics, ...misplaced, ...movedDiagnostics(moved, resources, snapshot)];
  if (hasErrors(mistakes)) {
    ahead?.stop();
    return { value: null, diagnostics: mistakes };
  }
  options.loaded?.(selected.value);

  // Names become ids.
  const unselected = unselectedIn(resources, selected.value);
  const resolved = await resolveAll(selected.value, origin, {
    unselected,
    project: resources,
    gone: first.gone,
  });
  const earlier = await earlierIn(since, project, resolved.value.desired, origin);
  const labelled =
    reviewed === null ? null : await reviewedLabels(reviewed, project, resolved.value.desired, moved, origin);
  ahead?.stop();
  const unclear = [...mistakes, ...resolved.diagnostics, ...earlier.diagnostics];
  if (hasErrors(unclear)) return { value: null, diagnostics: unclear };

  // Ids become what the tenant contains.
  const named = namedByKey(removals.decisions, snapshot);
  const removed = removedFrom(project, resolved.value.desired, snapshot, mode, kinds, named);
  const asking = { ...resolved.value, removed, earlier: earlier.value.removed };
  const read = await readAll(asking, origin);
  const known = [...unclear, ...read.diagnostics];
  if (hasErrors(known)) return { value: null, diagnostics: known };

  // An object that has gone gets a new id: what names its manifest waits for that.
  const lost = lostAmong(resolved.value.desired, read.value.desired);
  const calls = sumOf(first.calls, read.value.current.calls);
  if (lost.some((name) => !first.gone.has(name)))
    return plan(request, { snapshot, isStateLost }, client, {
      ...options,
      first: { gone: new Set(lost), calls },
    });

  // All of that becomes a plan.
  const { desired } = read.value;
  const current = { ...read.value.current, calls };
  const isEverything = project.isComplete && !isSelecting(project, mode);
  const removedByChange = removedSince(read.value.earlier, desired, current, snapshot);
  const chosen = chosenAmong(removedByChange, project, desired, snapshot, mode, kinds);
  const compared = comparedWith(since, earlier.value.change, read.value.earlier, chosen);
  const planned = makePlan({
    kinds,
    project: { resources, sources, commit, removals },
    wanted: {
      desired,
      removed: eachOnce([...chosen, ...removed]),
      since: compared,
      reviewed: labelled,
      isWhole: isEverything,
    },
    known: { server, asked, current, snapshot, isStateLost },
    rules,
    mode,
    ahead: { appliedWhen, width },
  });
  if (isEverything) foundUnmanaged?.(alsoListedIn(desired, origin));
  seen?.(current.objects, resources);
  const doubts = unclearAmong(read.value.earlier, desired, current, origin);
  return { value: planned.value, diagnostics: [...known, ...doubts, ...planned.diagnostics] };
}

/** What a change did to the project, and what manifests asked for that may have left it, where each of them was read. */
interface Earlier {
  readonly removed: readonly Desired[];
  readonly change: ProjectChange | null;
}

async function earlierIn(
  since: EarlierProject | null,
  project: LoadedProject,
  desired: readonly Desired[],
  origin: Origin,
): Promise<Checked<Earlier>> {
  if (since === null) return { value: { removed: [], change: null }, diagnostics: [] };
  const { value: changes, diagnostics } = changesSince(since, project);
  const left = project.isComplete ? changes.removed : [];
  const resolved = await resolveEarlier(left, since.vocabulary.apps, origin);
  // Where an edited manifest has a name that means nothing clear any more, all of it counts as edited.
  const edited = await resolveEarlier(changes.edited, since.vocabulary.apps, origin);
  const before = [...resolved.value, ...edited.value];
  const clear = new Set(resolved.value.map(({ resource }) => resource));
  const unclear = left.filter((resource) => !clear.has(resource));
  const { removed: decisions, prunes, authorship } = since;
  const change: ProjectChange = {
    unchanged: changes.unchanged,
    before: new Map(before.map((one) => [formatAddress(one.resource.address), one])),
    removed: new Set(unclear.map(({ address }) => formatAddress(address))),
    decisions,
    prunes,
    authorship,
    texts: new Map(project.sources.map(({ file, text }) => [file, text])),
  };
  return {
    value: { removed: withoutHeld(resolved.value, desired), change },
    diagnostics: [...diagnostics, ...resolved.diagnostics],
  };
}

/** What a plan is applied with. */
export interface Task extends PlanToApply {
  /** The plan's effect, and how far an apply of it has come. */
  readonly applying: Applying;
  /** The project's name, which the state takes where it has none; null where it takes none. */
  readonly project: string | null;
  readonly client: Client;
  /** A name for a new state, that no other has. */
  readonly lineage: string;
  /** Hears every event, and is waited for. */
  readonly listener: Recorder;
  readonly interrupt: AbortSignal;
}

/** What an apply came to, and the snapshot at its end; null where another run has the lock. */
export interface Applied {
  readonly summary: Summary;
  readonly snapshot: Snapshot | null;
  readonly fault: Diagnostic | null;
  /** What the lock must keep as it is given up. */
  readonly ending: Ending;
}

/**
 * A plan becomes calls, and everything that happens becomes events. The journal records an event first, so that a run
 * that is killed can be recovered. The last snapshot is kept, and the journal cleared after it, as the lock is given up. What protects an apply is in `session/`: call this only with a plan that was checked, under its lock.
 */
export async function apply(task: Task, lock: Lock): Promise<Applied> {
  const { plan, client, clock, run, rhythm, lineage, listener } = task;
  const { applying } = task;
  const known = task.snapshot ?? newSnapshot(lineage, plan.server);
  const taken = takenBy(known, task.project, lock.owner);
  const start = { ...taken, applying, wasRead: known.wasRead || showsReads(plan) };
  const { serial, project } = start;
  const whose = { server: plan.server, lineage: start.lineage, ...(project !== undefined && { project }) };
  const unseen = unseenCreates(plan);
  const head = { run, ...whose, serial, effect: applying.effect, ...(unseen.length > 0 && { unseen }) };
  const writeDown = makeJournal(lock.journal, head, clock, client.serverTime);
  const checkpoint = makeCheckpoint(lock, start, clock, rhythm);
  const recorder: Recorder = async (event) => {
    await writeDown(event);
    await checkpoint.record(event);
    await listener(event);
  };
  const { effect, created = [] } = applying;
  const job = {
    ...task,
    effect,
    created,
    lost: lock.lost,
    confirm: lock.confirm,
    kinds,
    service: client,
    recorder,
  };
  const { summary, fault } = await runPlan(job);
  // Another run has the lock: what this run did stays in the journal, and the next run settles it.
  if (lock.lost.aborted) return { summary, snapshot: null, fault, ending: {} };
  const isDone = summary.outcomes.done === plan.steps.filter(isWriting).length;
  const { snapshot, isOpen } = await checkpoint.finish(isDone);
  return { summary, snapshot, fault, ending: { snapshot: isOpen ? snapshot : null, isCleared: true } };
}
