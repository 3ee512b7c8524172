import type { AskedInterface } from "../kinds/interface.js";
import type { EarlierProject } from "../manifest/git/earlierProject.js";
import { type LoadedProject, loadProject } from "../manifest/project.js";
import type { Resource } from "../manifest/resource.js";
import type { Source } from "../manifest/source.js";
import { withUnclearFiles } from "../manifest/withUnclearFiles.js";
import { formatAddress } from "../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import type { Entry, Snapshot } from "../state/snapshot.js";
import { readAhead } from "../tenant/ahead.js";
import { type AlsoListed, alsoListedIn } from "../tenant/alsoListed.js";
import { callerAmong } from "../tenant/caller.js";
import { dependentsOfAll } from "../tenant/dependents.js";
import { resolveEarlier, unclearAmong } from "../tenant/earlier.js";
import { type Current, type Desired, sumOf } from "../tenant/known.js";
import { movedDiagnostics } from "../tenant/movedAddress.js";
import { unselectedIn } from "../tenant/names/resolve.js";
import { resolveAll } from "../tenant/names/resolveAll.js";
import { type Origin, openOrigin } from "../tenant/origin.js";
import { readAll } from "../tenant/readAll.js";
import { lostAmong, rewrittenBy } from "../tenant/rewritten.js";
import type { Tenant } from "../tenant/tenant.js";
import type { AppliedWhen } from "./estimate.js";
import type { Rules } from "./guards/rules.js";
import type { ReviewedLabels } from "./labels/otherLabels.js";
import type { Mode } from "./plan.js";
import { mayBeDeleted, namedByKey, type Removals } from "./removed/decision.js";
import { chosenAmong, formerManifests, removedFrom } from "./removed/which.js";
import type { Recalled, Request } from "./request.js";
import { isSelecting, isWhole, select } from "./select/select.js";
import { otherServer } from "./server.js";
import { comparedWith, eachOnce, removedSince, type Since, withoutHeld } from "./since/since.js";
import type { ProjectChange } from "./since/thisChange.js";

/** What a plan is made from: the project, what the state remembers, and what the tenant showed of both. */
export interface Look {
  /** What the author wrote: every manifest of the project, the texts that they stand in, and their commit when known. */
  readonly project: {
    readonly resources: readonly Resource[];
    readonly sources: readonly Pick<Source, "file" | "text">[];
    readonly commit: string | null;
    readonly removals: Removals;
  };
  /** What the plan looks at. */
  readonly wanted: {
    readonly desired: readonly Desired[];
    /** Objects in the state that seem to have no manifest in the project. */
    readonly removed: readonly Entry[];
    /** The commit that the project is compared with; null where it is not. */
    readonly since: Since | null;
    /** The labels of the reviewed branch; null where it was not asked. */
    readonly reviewed: ReviewedLabels | null;
    /** Whether the run looks at the whole project, and every manifest of it was read. */
    readonly isWhole: boolean;
  };
  /** What is known of the tenant: as it is now, and by the state. */
  readonly known: {
    readonly server: string;
    readonly asked: AskedInterface;
    readonly current: Current;
    /** Null without a state. */
    readonly snapshot: Snapshot | null;
    /** Whether a state existed that is now missing. */
    readonly isStateLost: boolean;
    /** The server's store that never had a state; absent otherwise. */
    readonly firstRunIn?: string;
  };
  readonly rules: Rules;
  readonly mode: Mode;
  /** When an apply follows, and how many calls it may have under way at once. */
  readonly ahead: { readonly appliedWhen: AppliedWhen; readonly width: number };
  /** What the lists show that were read anyway, and that is not managed; null where a part of the project is looked at. */
  readonly beside: readonly AlsoListed[] | null;
}

/** A project as its files have it, before the tenant is asked about it. */
interface OpenProject {
  readonly project: LoadedProject;
  /** The manifests that the plan is about. */
  readonly selected: readonly Resource[];
  readonly found: readonly Diagnostic[];
  /** What is read already of what the state remembers. */
  readonly begun: BegunReads;
}

/** Reads of a tenant that have begun. */
interface BegunReads {
  readonly origin: Origin;
  /** Begins no further read ahead. */
  readonly stop: () => void;
  /** Looks once more, by what the tenant showed before. */
  readonly again: () => BegunReads;
}

type Progress = (done: number, total: number) => void;

function begin(request: Request, recalled: Recalled, tenant: Tenant | null, progress: Progress): BegunReads {
  const { manifests, moved } = request.project;
  const { interface: asked, width, lateSince } = request.tenant;
  const { snapshot } = recalled;
  const apps = manifests.apps ?? {};
  const late = lateSince === undefined ? {} : { lateSince };
  const origin = openOrigin({ asked, tenant, snapshot, moved, ...late, apps, progress });
  const ahead = isWhole(manifests, request.mode) ? readAhead(origin, width) : null;
  return {
    origin,
    stop: () => ahead?.stop(),
    again: () => begin(request, recalled, tenant, progress),
  };
}

/** Text becomes resources. Null where an author's mistake stands in the way. */
export async function openProject(
  request: Request,
  recalled: Recalled,
  tenant: Tenant | null,
  progress: Progress,
): Promise<Checked<OpenProject | null>> {
  const { mode } = request;
  const { manifests, removals, moved } = request.project;
  const { snapshot } = recalled;
  const misplaced = otherServer(snapshot, request.tenant.server);
  const asked = mode.offline || misplaced.length > 0 ? null : tenant;
  const begun = begin(request, recalled, asked, progress);
  const loaded = await loadProject(manifests, asked?.turn);
  const isToPrune = mode.prune && !removals.isPruneStanding;
  const formers = (unclear: Parameters<typeof formerManifests>[0]) =>
    formerManifests(unclear, request.history.since, snapshot);
  const project = withUnclearFiles(loaded, formers, isToPrune);
  const { value: selected, diagnostics } = select(project, mode);
  const found = [...diagnostics, ...misplaced, ...movedDiagnostics(moved, project.resources, snapshot)];
  if (!hasErrors(found)) return { value: { project, selected, found, begun }, diagnostics: found };
  begun.stop();
  return { value: null, diagnostics: found };
}

/** What a first look found: objects that the state remembers and that are gone, and the calls that it took. */
interface FirstLook {
  readonly gone: ReadonlySet<string>;
  readonly calls: Current["calls"];
}

/**
 * Resources and what the state remembers become a look at the tenant. Null where a mistake stands in the way, because half
 * a plan would be shown as if it were all.
 */
export async function lookAt(
  opened: OpenProject,
  request: Request,
  recalled: Recalled,
  appliedWhen: AppliedWhen,
  first: FirstLook = { gone: new Set(), calls: {} },
): Promise<Checked<Look | null>> {
  const { snapshot } = recalled;
  const { mode, rules } = request;
  const { commit, removals, moved } = request.project;
  const { since, reviewed } = request.history;
  const { server, interface: asked, width } = request.tenant;
  const { project, selected, begun } = opened;
  const { origin } = begun;
  const { resources, sources } = project;

  // Names become ids.
  const unselected = unselectedIn(resources, selected);
  const resolved = await resolveAll(selected, origin, { unselected, project: resources, gone: first.gone });
  const earlier = await earlierIn(since, project, resolved.value.desired, origin);
  const labelled =
    reviewed === null
      ? null
      : await (await import("./labels/reviewedLabels.js")).reviewedLabels(
          reviewed,
          project,
          resolved.value.desired,
          moved,
          origin,
        );
  begun.stop();
  const unclear = [...opened.found, ...resolved.diagnostics, ...earlier.diagnostics];
  if (hasErrors(unclear)) return { value: null, diagnostics: unclear };

  // Ids become what the tenant contains.
  const named = namedByKey(removals.decisions, snapshot);
  const removed = removedFrom(project, resolved.value.desired, snapshot, mode, named);
  const asking = { ...resolved.value, removed, earlier: earlier.value.removed };
  const read = await readAll(asking, origin);
  const known = [...unclear, ...read.diagnostics];
  if (hasErrors(known)) return { value: null, diagnostics: known };

  // An object that has gone gets a new id: what names its manifest waits for that.
  const lost = lostAmong(resolved.value.desired, read.value.desired);
  if (lost.some((name) => !first.gone.has(name))) {
    const second = { gone: new Set(lost), calls: sumOf(first.calls, read.value.current.calls) };
    return lookAt({ ...opened, begun: begun.again() }, request, recalled, appliedWhen, second);
  }

  const { desired } = read.value;
  const isEverything = project.isComplete && !isSelecting(project, mode);
  const removedByChange = removedSince(read.value.earlier, desired, read.value.current, snapshot);
  const chosen = chosenAmong(removedByChange, project, desired, snapshot, mode);
  const left = eachOnce([...chosen, ...removed]);
  const dependents = await dependentsOfAll(mayBeDeleted(left, removals, mode), origin.reader);
  const rewritten = await rewrittenBy(desired, read.value.current, origin.reader);
  const caller = await callerAmong(desired, read.value.current, origin.reader);
  const calls = sumOf(first.calls, origin.reader?.calls() ?? {});
  const unknown = origin.reader?.unknown() ?? [];
  const current = { ...read.value.current, dependents, rewritten, caller, calls, unknown };
  const look: Look = {
    project: { resources, sources, commit, removals },
    wanted: {
      desired,
      removed: left,
      since: comparedWith(since, earlier.value.change, read.value.earlier, chosen),
      reviewed: labelled,
      isWhole: isEverything,
    },
    known: { server, asked, current, ...recalled },
    rules,
    mode,
    ahead: { appliedWhen, width },
    beside: isEverything ? alsoListedIn(desired, origin) : null,
  };
  return {
    value: look,
    diagnostics: [...known, ...unclearAmong(read.value.earlier, desired, current, origin)],
  };
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
  const { changesSince } = await import("../manifest/git/changes.js");
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
