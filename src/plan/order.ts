import { kindOf, placeOf } from "../kinds/index.js";
import { type Kind, writtenLast } from "../kinds/kind.js";
import { OWNERS } from "../kinds/owners.js";
import { type Address, byAddress, formatAddress, withoutKey } from "../model/address.js";
import { behindNeeds } from "../model/behindNeeds.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { groupAt } from "../model/groupBy.js";
import { type Json, type JsonObject, same } from "../model/json.js";
import { onceFor } from "../model/onceFor.js";
import { say } from "../words/say.js";
import { writes } from "./calls.js";
import { blockedInstead, type Decision, isDelete } from "./decide/decision.js";
import { awaitedBy, firstWrite, neededAtOnce, pendingOf } from "./pendingStep.js";
import { type Reference, referencesIn, referenceTo } from "./references.js";
import { deedOf, type Remark, type Step } from "./step.js";

/** A decision with what must be done before it. */
type Ordered = Omit<Step, "calls">;

/** What a decision waits for. */
type NeedsOf = (decision: Decision) => readonly Decision[];

/**
 * Decisions in the order they are carried out, object by object. A write follows the writes that it points at; a delete
 * follows the deletes, and the writes, of what points at it. It needs them where what is pointed at comes to be or goes by
 * them. In a ring of objects that are created, one is made without what names the others, if that opens nothing. It
 * awaits them before its last write. Where that may open something, it is blocked. In any other ring, the first one by kind and name does not wait.
 */
export function order(decisions: readonly Decision[]): readonly Ordered[] {
  const up = decisions
    .filter((decision) => !isEnd(decision))
    .sort((one, other) => rankOf(one) - rankOf(other) || byAddress(one.address, other.address));
  const down = decisions
    .filter(isEnd)
    .sort((one, other) => rankOf(other) - rankOf(one) || byAddress(one.address, other.address));
  const locked = lockedIn(up);
  const needsOf = onceFor(pointedAtBy(up, locked));
  const begun = beginnings(untangled(behindNeeds(up, needsOf), needsOf), locked);
  return down.length === 0 ? begun : [...begun, ...endings(behindNeeds(down, pointingAt(down)), begun)];
}

/** What each write points at, among them: by its id, or by its address while it has none. */
function pointedAtBy(up: readonly Decision[], locked: NeedsOf): NeedsOf {
  const byReference = new Map<Reference, Decision>();
  for (const decision of up) {
    const name = calledBy(decision);
    if (name !== undefined) byReference.set(name, decision);
  }
  const byName = new Map(up.map((decision) => [formatAddress(decision.address), decision]));
  return (decision) =>
    writes(decision)
      ? [
          ...locked(decision),
          ...unique(
            pointsAt(kindOf(decision.address), decision.managed.identity, decision.after),
            byReference,
          ),
          ...pendingOf(decision).flatMap((one) => byName.get(formatAddress(one)) ?? []),
        ]
      : [];
}

/** What a step locks against what the service does by itself after another one is written: the lock comes first. */
function lockedIn(up: readonly Decision[]): NeedsOf {
  const byApp = new Map<Json, Decision[]>();
  for (const one of up.filter(writes)) groupAt(byApp, one.managed.identity.appId ?? null).push(one);
  return ({ address, key, after }) => {
    const { rewrites } = kindOf(address);
    if (rewrites === undefined || key === null || rewrites.types(after ?? {}).length === 0) return [];
    const beside = byApp.get(key[0] ?? "") ?? [];
    return beside.filter((one) => one.address.kind === rewrites.kind && one.after?.[rewrites.lock] === true);
  };
}

/** The deletes of what points at what each delete deletes. */
function pointingAt(down: readonly Decision[]): (decision: Decision) => readonly Decision[] {
  const pointers = new Map<Reference, Decision[]>();
  for (const one of down.filter(isDelete))
    for (const name of pointsAt(kindOf(one.address), one.managed.identity, one.before))
      groupAt(pointers, name).push(one);
  return (decision) => {
    const name = calledBy(decision);
    return name === undefined ? [] : (pointers.get(name) ?? []);
  };
}

/** What others point at it by; nothing for a kind that nothing points at: the key of an automation is the one of its entitlement. */
function calledBy({ address, key }: Decision): Reference | undefined {
  const kind = kindOf(address);
  return key === null || !kind.isPointedAt ? undefined : referenceTo(kind, key);
}

/** Kinds are carried out in the order of their list. */
function rankOf({ address }: Decision): number {
  return placeOf(address.kind);
}

function isEnd({ action }: Decision): boolean {
  return action === "delete" || action === "forget" || action === "removed";
}

/** What a step needs is decided before the step itself, but for a ring. Those of `lost` await a step that is blocked. */
function beginnings(
  sorted: readonly Decision[],
  locked: NeedsOf,
  lost: ReadonlyMap<string, readonly Address[]> = new Map(),
): readonly Ordered[] {
  const steps = inTurn(sorted, locked, lost);
  const blocked = new Set(steps.filter(lacksObject).map(({ address }) => formatAddress(address)));
  const more = steps.flatMap((step) => {
    const stuck = awaitedBy(step).filter((one) => blocked.has(formatAddress(one)));
    return stuck.length === 0 ? [] : [[formatAddress(step.address), stuck] as const];
  });
  return more.length === 0 ? steps : beginnings(sorted, locked, new Map([...lost, ...more]));
}

function inTurn(
  sorted: readonly Decision[],
  locked: NeedsOf,
  lost: ReadonlyMap<string, readonly Address[]>,
): readonly Ordered[] {
  const pending = new Map<Reference, Ordered>();
  const begun = new Map<string, Ordered>();
  const later = new Set(sorted.map(({ address }) => formatAddress(address)));
  return sorted.map((decision) => {
    const kind = kindOf(decision.address);
    const pointed =
      writes(decision) && pending.size > 0
        ? unique(pointsAt(kind, decision.managed.identity, decision.after), pending)
        : [];
    const waited = pendingOf(decision);
    const created = waited.flatMap((one) => begun.get(formatAddress(one)) ?? []);
    const locks = locked(decision).flatMap(({ address }) => begun.get(formatAddress(address)) ?? []);
    const isAhead = (one: Address) => later.has(formatAddress(one)) && !begun.has(formatAddress(one));
    const ring = waited.filter(isAhead);
    const isIn = ({ address }: Decision) => ring.some((one) => formatAddress(one) === formatAddress(address));
    const isOwned = ring.length > 0 && sorted.filter(isIn).every((other) => isOwner(decision, other));
    const stuck = lost.get(formatAddress(decision.address)) ?? [];
    // Without its id nothing can be made that refers to it, whatever is known of the object.
    const isStuck = (one: Ordered) => lacksObject(one) || (one.action === "blocked" && created.includes(one));
    const { span } = decision.managed;
    const step =
      ring.length > 0 && neededAtOnce(decision).some(isAhead)
        ? blockedBy(
            decision,
            ring,
            say(isOwned ? "plan/ring#owners" : "plan/ring#fields", { others: ring }, { span }),
          )
        : stuck.length > 0
          ? blockedBy(decision, stuck, say("plan/need-blocked", { needs: stuck }, { span }))
          : inRing(place(decision, [...new Set([...pointed, ...created])], locks, isStuck), ring);
    begun.set(formatAddress(step.address), step);
    if (writes(step) || lacksObject(step)) {
      const name = step.key === null ? undefined : referenceTo(kind, step.key);
      if (name !== undefined) pending.set(name, step);
    }
    return step;
  });
}

/** Whether an object is named by another only as an owner of it. */
function isOwner({ address }: Decision, other: Decision): boolean {
  const { [OWNERS]: _, ...after } = other.after ?? {};
  const others = pendingOf({ ...other, after, changes: [] });
  return !others.some((one) => formatAddress(one) === formatAddress(address));
}

function place(
  decision: Decision,
  pointed: readonly Ordered[],
  locks: readonly Ordered[],
  isStuck: (one: Ordered) => boolean,
): Ordered {
  const first = [...new Set([...pointed, ...locks])];
  const stuck = addressesOf(first.filter(isStuck));
  if (stuck.length === 0) {
    const isNeeded = (one: Ordered) =>
      locks.includes(one) || (kindOf(one.address).isPointedAt && deedOf(one) === "create");
    const needs = addressesOf(first.filter(isNeeded));
    return { ...decision, needs, follows: addressesOf(first.filter((one) => !isNeeded(one))) };
  }
  return blockedBy(
    decision,
    stuck,
    say("plan/need-blocked", { needs: stuck }, { span: decision.managed.span }),
  );
}

/** A step that is made without what names some of its ring. */
function inRing(step: Ordered, ring: readonly Address[]): Ordered {
  if (ring.length === 0 || step.action === "blocked") return step;
  const first = firstWrite(step);
  if (first === null) return step;
  const remark: Remark = { about: "ring", awaits: ring, fields: writtenLast(first, step.after ?? {}) };
  const follows = [...step.follows, ...ring].toSorted(byAddress);
  return { ...step, follows, remarks: [...step.remarks, remark] };
}

function blockedBy(decision: Decision, needs: readonly Address[], why: Diagnostic): Ordered {
  return { ...blockedInstead(decision, "need blocked", [why]), needs, follows: [] };
}

/** Blocked, with nothing there that others could point at. */
function lacksObject({ address, action, sight: { exists } }: Decision): boolean {
  return action === "blocked" && (exists === "no" || exists === "unknown") && kindOf(address).isPointedAt;
}

function endings(ends: readonly Decision[], begun: readonly Ordered[]): readonly Ordered[] {
  const doomed = new Map<Reference, Decision>();
  for (const decision of ends) {
    const name = decision.key === null ? undefined : referenceTo(kindOf(decision.address), decision.key);
    if (decision.action === "delete" && name !== undefined) doomed.set(name, decision);
  }
  const first = new Map<Decision, Decision[]>();
  const places = new Map(ends.map((decision, place) => [decision, place]));
  const placeIn = (decision: Decision) => places.get(decision) ?? -1;
  if (doomed.size > 0) {
    for (const pointer of [...begun.filter(writes), ...ends.filter(isDelete)]) {
      const kind = kindOf(pointer.address);
      for (const target of unique(pointsAt(kind, pointer.managed.identity, pointer.before), doomed)) {
        const isFirst = placeIn(pointer) < placeIn(target);
        if (target !== pointer && isFirst) groupAt(first, target).push(pointer);
      }
    }
  }
  return ends.map((decision) => {
    const others = first.get(decision) ?? [];
    const isNeeded = kindOf(decision.address).isPointedAt;
    const needs = [...(isNeeded ? others : []), ...(isDelete(decision) ? replacing(decision, begun) : [])];
    return { ...decision, needs: addressesOf(needs), follows: isNeeded ? [] : addressesOf(others) };
  });
}

/** The replacement of an object: the object is deleted only once the new one has taken its place. */
function replacing({ address, key }: Decision, begun: readonly Ordered[]): readonly Decision[] {
  if (key === null) return [];
  const place = formatAddress(withoutKey(address, key));
  return begun.filter(
    (one) => one.replaces !== null && same(one.replaces.key, key) && formatAddress(one.address) === place,
  );
}

function addressesOf(decisions: readonly Decision[]): readonly Address[] {
  return decisions.map(({ address }) => address).toSorted(byAddress);
}

function pointsAt(kind: Kind, identity: JsonObject, fields: JsonObject | null): readonly Reference[] {
  return referencesIn({ ...identity, ...fields }, kind.shape);
}

function unique<T>(references: readonly Reference[], among: ReadonlyMap<Reference, T>): readonly T[] {
  return [...new Set(references.flatMap((reference) => among.get(reference) ?? []))];
}

/**
 * Sorted decisions. A ring is opened where a decision points at what exists already; else where one can be made without
 * what names the others.
 */
function untangled(sorted: readonly Decision[], needsOf: NeedsOf): readonly Decision[] {
  if (sorted.every(({ key }) => key !== null)) return sorted;
  const opened = new Map<Decision, readonly Decision[]>();
  const needs: NeedsOf = (one) => opened.get(one) ?? needsOf(one);
  for (let order = sorted; ; order = behindNeeds(order, needs)) {
    const places = new Map(order.map((decision, place) => [decision, place]));
    const placeOf = (one: Decision) => places.get(one) ?? -1;
    const isTangled = (one: Decision) => needs(one).some((need) => placeOf(need) > placeOf(one));
    const tangled = order.filter((one) => isTangled(one) && pendingOf(one).length > 0);
    if (tangled.length === 0) return order;
    let isOpened = false;
    const neededBy = new Map<Decision, Decision[]>();
    for (const one of order) for (const need of needs(one)) groupAt(neededBy, need).push(one);
    const met = new Set<Decision>();
    for (const one of tangled) {
      if (met.has(one)) continue;
      const below = reached(one, (other) => neededBy.get(other) ?? []);
      const others = [...reached(one, needs)].filter((other) => other !== one && below.has(other));
      const ring = [one, ...others.toSorted((left, right) => placeOf(left) - placeOf(right))];
      for (const member of ring) met.add(member);
      const opening = openingOf(ring, needs);
      if (opening === null) continue;
      opened.set(...opening);
      isOpened = true;
    }
    if (!isOpened) return order;
  }
}

/** A decision that need not wait for all of its ring, with what it still waits for; null where each has to. */
function openingOf(
  ring: readonly Decision[],
  needsOf: NeedsOf,
): readonly [Decision, readonly Decision[]] | null {
  const members = new Set(ring);
  for (const namesOf of [pendingOf, neededAtOnce]) {
    for (const one of ring) {
      const names = new Set(namesOf(one).map(formatAddress));
      const needs = needsOf(one);
      const left = needs.filter((need) => !members.has(need) || names.has(formatAddress(need.address)));
      if (left.length < needs.length) return [one, left];
    }
  }
  return null;
}

function reached(from: Decision, next: NeedsOf): ReadonlySet<Decision> {
  const found = new Set([from]);
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}
