import { kinds } from "../../kinds/index.js";
import { isLive } from "../../kinds/interface.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { writes } from "../../plan/calls.js";
import { idsOf } from "../../plan/pendingStep.js";
import type { Planned } from "../../plan/plan.js";
import { effectOf, isWriting, nameOfStep, stepHashes } from "../../plan/saved/effect.js";
import { keepSteps } from "../../plan/saved/keepSteps.js";
import type { Step } from "../../plan/step.js";
import { withIds } from "../../plan/withIds.js";
import type { Applying, CreatedObject, Snapshot } from "../../state/snapshot.js";
import { isAlreadySo } from "../alreadySo.js";
import { wantedBy } from "../reads/recentReads.js";
import { makeReread } from "../reads/reread.js";
import type { Session } from "../session.js";
import { unconfirmedStep } from "./confirmed.js";

/** How far an apply has come, and why it may not go on. */
interface ContinuedSteps {
  readonly applying: Applying | null;
  readonly refused: readonly Diagnostic[];
}

/**
 * How far an apply of a saved plan has come, as far as the tenant confirms it. The state says which steps are done; where
 * the service can be read, a step counts as done only if its object is as the step leaves it. Where it cannot, and others
 * may write the state, the step is done again, or refused where that could make a second object.
 */
export async function continuedSteps(
  plan: Planned,
  before: Applying | null,
  { client, store }: Pick<Session, "client" | "store">,
): Promise<ContinuedSteps> {
  const asTold = { applying: before, refused: [] };
  if (before === null || client === null) return asTold;
  const { created = [] } = before;
  const effect = effectOf(plan, before.isComplete ? [] : before.done, created);
  if (effect !== before.effect) return asTold;
  const hashes = stepHashes(plan, created);
  const madeAs = new Map(created.map(({ address, key }) => [formatAddress(address), key]));
  const asMade = (step: Step): Step => {
    const made = withIds(step, idsOf(created));
    return { ...made, key: made.key ?? madeAs.get(formatAddress(step.address)) ?? null };
  };
  const writing = plan.steps
    .filter(isWriting)
    .map((step) => ({ step, hash: hashes.get(nameOfStep(step)) ?? "" }));
  const done = before.isComplete ? writing.map(({ hash }) => hash) : before.done;
  const refuted = new Set<string>();
  const unsure = new Set<string>();
  const look = makeReread(client, true);
  for (const kind of kinds) {
    const isShown = isLive(plan.interface.kinds, kind.name);
    if (!isShown && store.isOwn) continue;
    const claimed = writing
      .filter(({ step, hash }) => step.address.kind === kind.name && writes(step) && done.includes(hash))
      .map(({ step, hash }) => ({ step: asMade(step), hash }))
      .map(({ step, hash }) => ({ step, hash, wanted: wantedBy(step, kind) }));
    if (!isShown) {
      for (const { step, hash } of claimed) (mayRepeat(step) ? refuted : unsure).add(hash);
      continue;
    }
    if (claimed.length === 0) continue;
    const objects = await look.many(
      kind,
      claimed.map(({ wanted }) => wanted),
    );
    for (const { step, hash, wanted } of claimed) {
      const seen = "notOffered" in objects ? undefined : objects.get(wanted.name);
      if (seen === undefined || !isAlreadySo(step, seen, kind)) refuted.add(hash);
    }
  }
  const refused = writing.flatMap(({ step, hash }) => (unsure.has(hash) ? [unshownCreate(step, plan)] : []));
  if (refuted.size === 0) return { applying: before, refused };
  const gone = new Set(
    writing.flatMap(({ step, hash }) => (refuted.has(hash) ? [formatAddress(step.address)] : [])),
  );
  const left = created.filter(({ address }) => !gone.has(formatAddress(address)));
  const continued = { effect, done: done.filter((hash) => !refuted.has(hash)), isComplete: false };
  return { applying: left.length === 0 ? continued : { ...continued, created: left }, refused };
}

function mayRepeat({ calls }: Step): boolean {
  return calls.every(({ effect }) => effect === "repeatable");
}

function unshownCreate({ address }: Step, plan: Planned): Diagnostic {
  return unconfirmedStep(`${formatAddress(address)} is created, and the service does not show that`, plan);
}

/**
 * How far an apply has come, together with its creates of unknown result whose objects a new plan adopts or changes: these
 * count as begun.
 */
export function withFound({ steps }: Planned, snapshot: Snapshot | null): Applying | null {
  const { applying = null, uncertain = {} } = snapshot ?? {};
  if (applying === null || applying.isComplete) return applying;
  const found = steps.flatMap(({ address, key, action }): readonly CreatedObject[] => {
    const create = uncertain[formatAddress(address)];
    const isFound = key !== null && (action === "adopt" || action === "update");
    return isFound && create?.of?.effect === applying.effect ? [{ address, key, isUnfinished: true }] : [];
  });
  return found.length === 0 ? applying : { ...applying, created: [...(applying.created ?? []), ...found] };
}

/** A plan, and how far an apply of its effect has come before. */
export interface ContinuedPlan {
  /** The steps that are left. */
  readonly plan: Planned;
  readonly applying: Applying;
}

/**
 * Continues an apply that ended early: a plan whose steps, together with the steps that are done, have the effect of
 * that apply. Any other plan begins anew. A saved plan does no step again. A new plan does all that it shows.
 */
export function continuedPlan(plan: Planned, before: Applying | null, isSaved: boolean): ContinuedPlan {
  const effect = effectOf(plan);
  const created = before === null || before.isComplete ? [] : (before.created ?? []);
  const begun = { effect, done: [], isComplete: false };
  // Another effect finishes by an update what an earlier one began to create.
  const made = created.map(({ address, key }) => ({ address, key }));
  const anew = { plan, applying: made.length === 0 ? begun : { ...begun, created: made } };
  if (before === null) return anew;
  if (before.isComplete) {
    if (isSaved) return before.effect === effect ? { plan: without(plan, null), applying: before } : anew;
    return plan.steps.some(isWriting) ? anew : { plan, applying: before };
  }
  if (effectOf(plan, before.done, created) !== before.effect) return anew;
  return { plan: isSaved ? without(plan, new Set(before.done), created) : plan, applying: before };
}

/** The plan without the steps that are done; null stands for all that write. */
function without(
  plan: Planned,
  done: ReadonlySet<string> | null,
  created: Applying["created"] = [],
): Planned {
  const hashes = stepHashes(plan, created);
  const isDone = (hash: string) => done === null || done.has(hash);
  return keepSteps(plan, (step) => !isWriting(step) || !isDone(hashes.get(nameOfStep(step)) ?? ""));
}
