import { kindOf } from "../kinds/index.js";
import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress, withoutKey } from "../model/address.js";
import type { Checked } from "../model/diagnostic.js";
import { formatKey, type Key } from "../model/key.js";
import type { Entry } from "../state/snapshot.js";
import type { Desired } from "../tenant/known.js";
import { withCalls } from "./calls.js";
import { decide } from "./decide/decide.js";
import type { Decision } from "./decide/decision.js";
import { decideRefresh } from "./decide/refresh.js";
import { beingRewritten, unlessRewritten, withRewritten } from "./decide/rewritten.js";
import { type Circumstances, situate } from "./decide/situation.js";
import { withStillNeeded } from "./decide/stillNeeded.js";
import { type Removed, withDoubtfulRenames, withReplacements } from "./decide/together.js";
import { entriesWithoutManifest, withoutManifest, withoutManifestSince } from "./decide/withoutManifest.js";
import { inOrder } from "./estimate.js";
import { mayReplaceUnseen, unknownGuards } from "./guards/acknowledge.js";
import { guardNames } from "./guards/guards.js";
import { movedIn } from "./guards/movedReferences.js";
import { ownName } from "./guards/own/ownGuard.js";
import { otherLabelsOf } from "./labels/otherLabels.js";
import type { Look } from "./look.js";
import { order } from "./order.js";
import type { Mode, Plan } from "./plan.js";
import { type RecordLookup, recordLookup } from "./record/lookup.js";
import { rewrittenIn } from "./record/record.js";
import { removalDiagnostics, removalOf } from "./removed/decision.js";
import { addressesOf, namesOf } from "./removed/which.js";
import { filesOf } from "./saved/files.js";
import { idleSelector, idleTargets } from "./select/select.js";
import { publicServer } from "./server.js";
import { shownSince } from "./since/since.js";
import { type Parted, part } from "./since/thisChange.js";
import type { Step } from "./step.js";
import { basisDiagnostics } from "./wholePlan.js";

/** Everything that would be done to make the tenant as the manifests say; the same look gives the same plan. */
export function makePlan(look: Look): Checked<Plan> {
  const { project, wanted, known, rules, mode } = look;
  const { desired, removed, since, isWhole } = wanted;
  const { server, asked, current, snapshot, firstRunIn } = known;
  const { proposal, own, ...shownSettings } = rules.settings;
  const memory = recordLookup(snapshot);
  const all = order(decideAll(look, memory)).map((step): Step => {
    const kind = kindOf(step.address);
    const otherLabels = otherLabelsOf(step, memory, wanted.reviewed);
    return withCalls({ ...step, managed: { ...step.managed, otherLabels } }, kind, current.caller);
  });
  const { steps, pending } = partsOf(all, look);
  const plan: Plan = {
    server: publicServer(server),
    interface: { asked, kinds: inOrder(current.from) },
    mode,
    settings: shownSettings,
    commit: project.commit,
    since: shownSince(since, pending),
    state: snapshot === null ? null : { lineage: snapshot.lineage, serial: snapshot.serial },
    ...(firstRunIn !== undefined && { firstRunIn }),
    steps,
    limits: rules.limits,
    rewritten: respelledIn(all, memory),
    notCompared: current.notCompared,
    files: filesOf(steps, project.sources),
  };
  const taken = addressesOf(project.resources);
  const addresses = [
    ...project.resources.map(({ address }) => address),
    ...removed.flatMap((entry) => namesOf(entry, taken)),
  ];
  return {
    value: plan,
    diagnostics: [
      ...idleTargets(mode, addresses),
      ...idleSelector(mode, project.resources, desired.length),
      ...basisDiagnostics({
        project: project.resources,
        desired,
        snapshot,
        mode,
        removals: project.removals,
        since,
      }),
      ...(isWhole
        ? removalDiagnostics(project.removals.decisions, removed, taken, snapshot !== null || since !== null)
        : []),
      ...unknownGuards([...guardNames, ...[...own.guards, ...(proposal?.own ?? [])].map(ownName)], rules),
    ],
  };
}

/** All steps; or those of the change that the plan is about, and what was pending without it. A plan of drift is about no change. */
function partsOf(
  all: readonly Step[],
  { wanted: { since, desired }, project: { removals }, mode }: Look,
): Parted {
  if (since === null || mode.refreshOnly) return { steps: all, pending: [] };
  return part(all, { desired, removals, change: since.change });
}

/** Resources first, then what is remembered and no longer has one. */
function decideAll(look: Look, memory: RecordLookup): readonly Decision[] {
  const { mode, rules } = look;
  const { resources: project, removals } = look.project;
  const { desired, removed, since } = look.wanted;
  const { current, isStateLost } = look.known;
  // What is only proposed is planned, too; its finding stays open until the proposal is in force.
  const proposed = rules.settings.proposal?.acknowledgements ?? [];
  const answers = { ...rules, acknowledgements: [...rules.acknowledgements, ...proposed] };
  const isDescribed = describedBy(project, desired);
  const taken = addressesOf(project);
  const isWritten = (address: Address) => taken.has(formatAddress(address));
  const circumstances = {
    isStateLost,
    isDescribed,
    isWritten,
    mayReplaceUnseen: (address: Address) => mayReplaceUnseen(address, answers),
  };
  const situation = (address: Address, key: Key | null) =>
    situate(kindOf(address), address, key, current, memory, circumstances);
  const seen = desired.map((one) => [one, situation(one.resource.address, one.key)] as const);
  const rewriting = beingRewritten(seen);
  const wanted = seen.map(([one, known]) => {
    const now = rewriting.get(one);
    return [one, now === undefined ? known : { ...known, rewriting: now }] as const;
  });
  const asked = wanted.map(([one, known]) => decide(one, known));
  const decisions = unlessRewritten(asked, wanted).map((one) => withRewritten(one, current.rewritten));
  const bare = entriesWithoutManifest(removed, { project, desired }, decisions);
  const left = bare.map((entry) => [entry, situation(entry.address, entry.key)] as const);
  const removedByChange = new Set(since?.removed.map(({ address, key }) => formatKey(address.kind, key)));
  if (!mode.refreshOnly) {
    const blocked = new Set(decisions.filter(isBlocked).map(({ address }) => formatAddress(address)));
    const open = left.flatMap(([entry, known]): Removed | [] => {
      const named = { ...entry, address: withoutKey(entry.address, entry.key) };
      const why = taken.has(formatAddress(named.address)) ? "replaced" : "manifest removed";
      const isFree = isDecidable(entry, look);
      const removal = isFree ? removalOf(named, removals.decisions) : null;
      const isPruned = isFree && mode.prune && !blocked.has(formatAddress(named.address));
      const allowed = isFree ? { ...mode, prune: isPruned } : UNDECIDED;
      const isOfChange = removedByChange.has(formatKey(entry.address.kind, entry.key));
      const decideFor = (how: typeof UNDECIDED) =>
        since === null || !isOfChange
          ? withoutManifest(entry, known, how, removal, why)
          : withoutManifestSince(entry, known, how, removal, why, since);
      const decision = decideFor(allowed);
      const kept = isPruned ? decideFor(UNDECIDED) : decision;
      if (decision === null || kept === null) return [];
      return { entry: named, decision, kept, isNamed: removal !== null };
    });
    const { decisions: clear, removed: decided } = withDoubtfulRenames(decisions, open, memory);
    const replaced = withReplacements(clear, left, memory).map((decision) => {
      const { address, recorded } = decision;
      const moved = movedIn(decision, memory.holder(address), kindOf(address));
      return { ...decision, recorded: { ...recorded, moved } };
    });
    return withStillNeeded([...replaced, ...decided], { desired, project }, memory, current.dependents);
  }
  const refreshed = wanted.flatMap(([{ resource }, known]) =>
    known.entry === null ? [] : [decideRefresh(known.entry, known, resource.place([]).span)],
  );
  const recorded = left.filter(([, { entry }]) => entry !== null);
  return [...refreshed, ...recorded.map(([entry, known]) => decideRefresh(entry, known, null))];
}

/** Whether a manifest of the project stands for an object: by the id that was found for it, or by what it writes. */
function describedBy(
  project: readonly Resource[],
  desired: readonly Desired[],
): Circumstances["isDescribed"] {
  const keys = new Set(
    desired.flatMap(({ resource, key }) => (key === null ? [] : formatKey(resource.address.kind, key))),
  );
  return (kind, one) => {
    const own = kind.shape.identity.at(-1) ?? "";
    const isMeant = ({ address, spec }: Resource) =>
      address.kind === kind.name && (spec[own] === one.key.at(-1) || kind.matches?.(spec, one) === true);
    return keys.has(formatKey(kind.name, one.key)) || project.some(isMeant);
  };
}

function isBlocked({ action }: Pick<Step, "action">): boolean {
  return action === "blocked";
}

const UNDECIDED: Pick<Mode, "prune" | "cascade"> = { prune: false, cascade: [] };

/** A selection decides only about the removed objects that its targets name: what it replaces stays undecided. */
function isDecidable(entry: Entry, { wanted: { isWhole }, mode }: Look): boolean {
  return isWhole || mode.targets.includes(formatAddress(entry.address));
}

function respelledIn(steps: readonly Step[], memory: RecordLookup): Plan["rewritten"] {
  return steps.flatMap(({ address, key }) => {
    const entry = memory.entry(address.kind, key);
    const fields = entry === null ? [] : rewrittenIn(entry, kindOf(address).shape);
    return fields.length === 0 ? [] : [{ address, fields }];
  });
}
