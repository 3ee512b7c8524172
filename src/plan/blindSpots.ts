import { kinds } from "../kinds/index.js";
import { formatAddress } from "../model/address.js";
import type { Current } from "../tenant/known.js";
import type { Unseen } from "./plan.js";
import type { RecordLookup } from "./record/lookup.js";
import type { Step } from "./step.js";

/**
 * What a plan could not see: kinds without reads, objects and names that could not be read, objects of unknown kinds.
 */
export function blindSpotsIn(
  steps: readonly Step[],
  from: Current["from"],
  memory: Pick<RecordLookup, "entry" | "strangers">,
): readonly Unseen[] {
  const used = new Set(steps.map(({ address }) => address.kind));
  const recorded = kinds
    .filter(({ name }) => used.has(name) && from[name]?.source === "recorded")
    .map(({ name, noun }) => ({
      what: noun.many,
      why: `${from[name]?.why ?? "the core interface has no reads"}; ${recordsUsed(name, steps, memory)}`,
    }));
  const unread = steps
    .filter(({ sight: { exists } }) => exists === "not read")
    .flatMap(({ address, diagnostics }) =>
      diagnostics.map(({ message }) => ({ what: formatAddress(address), why: message })),
    );
  const unknown = memory.strangers.map(({ address }) => ({
    what: formatAddress(address),
    why: "the state contains it, and this version does not know its kind",
  }));
  return [...recorded, ...unread, ...unknown];
}

/** Whether there are records of a kind, and from when: a record does not show what happened in the tenant since. */
function recordsUsed(kind: string, steps: readonly Step[], memory: Pick<RecordLookup, "entry">): string {
  const days = steps
    .filter(({ address }) => address.kind === kind)
    .flatMap(({ key }) => memory.entry(kind, key)?.at.slice(0, 10) ?? [])
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined)
    return "nothing is recorded of them, so remit cannot know what exists";
  return `remit uses what it recorded ${first === last ? `on ${first}` : `from ${first} to ${last}`}`;
}
