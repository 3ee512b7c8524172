import type { Client } from "./api/client.js";
import { readAhead } from "./current/ahead.js";
import { type AlsoListed, alsoListedIn } from "./current/alsoListed.js";
import { dependentsOfAll } from "./current/dependents.js";
import { resolveEarlier, unclearAmong } from "./current/earlier.js";
import { type Current, type Desired, sumOf } from "./current/known.js";
import { lostAmong } from "./current/lostAmong.js";
import { movedDiagnostics } from "./current/movedAddress.js";
import { resolveAll } from "./current/names/resolveAll.js";
import { type Origin, openOrigin } from "./current/origin.js";
import { readAll } from "./current/readAll.js";
import { unselectedIn } from "./current/unselected.js";
import { kinds } from "./kinds/index.js";
import { changesSince } from "./manifest/git/changes.js";
import type { EarlierProject } from "./manifest/git/earlierProject.js";
import { type LoadedProject, loadProject } from "./manifest/project.js";
import { withUnclearFiles } from "./manifest/withUnclearFiles.js";
import { formatAddress } from "./model/address.js";
import { type Checked, hasErrors } from "./model/diagnostic.js";
import type { AppliedWhen } from "./plan/estimate.js";
import { reviewedLabels } from "./plan/labels/reviewedLabels.js";
import { makePlan } from "./plan/make.js";
import type { Plan } from "./plan/plan.js";
import { mayBeDeleted, namedByKey } from "./plan/removed/decision.js";
import { formerManifests } from "./plan/removed/formerManifests.js";
import { chosenAmong, removedFrom } from "./plan/removed/which.js";
import type { Recalled, Request } from "./plan/request.js";
import { isSelecting, isWhole, select } from "./plan/select/select.js";
import { otherServer } from "./plan/server.js";
import { comparedWith, eachOnce, removedSince, withoutHeld } from "./plan/since/since.js";
import type { ProjectChange } from "./plan/since/thisChange.js";

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

/**
 * Text becomes resources; resources and the world become a plan. Null where an author's mistake stands in the way,
 * because half a plan would be shown as if it were all.
 */
export async function plan(
  request: Request,
  recalled: Recalled,
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
  const { snapshot } = recalled;
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
  if (lost.some((name) => !first.gone.has(name)))
    return plan(request, recalled, client, {
      ...options,
      first: { gone: new Set(lost), calls: sumOf(first.calls, read.value.current.calls) },
    });

  // All of that becomes a plan.
  const { desired } = read.value;
  const isEverything = project.isComplete && !isSelecting(project, mode);
  const removedByChange = removedSince(read.value.earlier, desired, read.value.current, snapshot);
  const chosen = chosenAmong(removedByChange, project, desired, snapshot, mode, kinds);
  const left = eachOnce([...chosen, ...removed]);
  const dependents = await dependentsOfAll(mayBeDeleted(left, removals, mode, kinds), origin.reader);
  const calls = sumOf(first.calls, origin.reader?.calls() ?? {});
  const current = { ...read.value.current, dependents, calls };
  const compared = comparedWith(since, earlier.value.change, read.value.earlier, chosen);
  const planned = makePlan({
    kinds,
    project: { resources, sources, commit, removals },
    wanted: {
      desired,
      removed: left,
      since: compared,
      reviewed: labelled,
      isWhole: isEverything,
    },
    known: { server, asked, current, ...recalled },
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
