import type { Current } from "../current/world.js";
import type { Kind } from "../kinds/kind.js";
import { formatAddress } from "../model/address.js";
import type { Entry } from "../state/snapshot.js";
import type { Unseen } from "./plan.js";
import type { Step } from "./step.js";

/**
 * What a plan could not see: kinds without reads, objects and names that could not be read, objects of unknown kinds.
 */
export function unseenIn(
  steps: readonly Step[],
  from: Current["from"],
  kinds: readonly Kind[],
  strangers: readonly Entry[],
): readonly Unseen[] {
  const used = new Set(steps.map(({ address }) => address.kind));
  const recorded = kinds
    .filter(({ name }) => used.has(name) && from[name]?.source === "recorded")
    .map(({ name, noun }) => ({
      what: noun.many,
      why: from[name]?.why ?? "the core interface has no reads; remit uses what it recorded",
    }));
  const unread = steps
    .filter(({ exists }) => exists === "not read")
    .flatMap(({ address, diagnostics }) =>
      diagnostics.map(({ message }) => ({ what: formatAddress(address), why: message })),
    );
  const unknown = strangers.map(({ address }) => ({
    what: formatAddress(address),
    why: "the state contains it, and this version does not know its kind",
  }));
  return [...recorded, ...unread, ...unknown];
}
