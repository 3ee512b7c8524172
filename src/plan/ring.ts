import { formatAddress } from "../model/address.js";
import { behindNeeds } from "../model/behindNeeds.js";
import { groupAt } from "../model/groupBy.js";
import type { Decision } from "./decide/decision.js";
import { neededAtOnce, pendingOf } from "./pendingStep.js";

/**
 * Sorted decisions. A ring is opened where a decision points at what exists already; else where one can be made without
 * what names the others.
 */
export function untangled(sorted: readonly Decision[], needsOf: NeedsOf): readonly Decision[] {
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

/** What a decision waits for. */
export type NeedsOf = (decision: Decision) => readonly Decision[];

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
