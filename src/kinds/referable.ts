import type { Call } from "../model/call.js";
import type { Target } from "../schema/shape.js";
import type { Kind, Observed } from "./kind.js";
import type { Referable } from "./listing.js";
import { REFERABLE } from "./lookups.js";
import type { Named } from "./named.js";
import { nameIn } from "./spelling.js";

/** How objects of that sort are found by name. */
export function referable(target: Target): Referable {
  return REFERABLE[target];
}

/** What a plan calls an object: the name that a manifest can write for it, so of a user the e-mail address. */
export function shownName(target: Target, named: Named): string {
  const [by = "name"] = referable(target).finders;
  return named[by] ?? "";
}

/** The sort of object that a kind manages, where ids can point at it. */
export function targetOf(kind: Kind): Target | undefined {
  return TARGETS.find((target) => referable(target).kind?.name === kind.name);
}

/** The list that every service with the full interface has: reading its first page finds the interface. */
export const LIST_OF_FULL = "app" satisfies Target;

/** The call of that list. */
export function listOfApps(): Call {
  return REFERABLE[LIST_OF_FULL].list.call();
}

/** The names of an object that was read for its own sake; undefined where it shows none. */
export function namedBy(observed: Observed | undefined): Named | undefined {
  const [name, id] = [nameIn(observed?.fields ?? {}), observed?.key.at(-1)];
  return name !== "" && id !== undefined ? { id, name } : undefined;
}

/** Every sort of object that the service lists. */
export const LISTED = Object.entries(REFERABLE).flatMap(([target, { list }]) =>
  list === null ? [] : [target as Target],
);

const TARGETS = Object.keys(REFERABLE) as readonly Target[];
