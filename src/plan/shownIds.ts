import type { Change } from "../diff/change.js";
import type { KindOf } from "../kinds/kindOf.js";
import type { Json, JsonObject } from "../model/json.js";
import { writes } from "./calls.js";
import { type Plan, pendingIn } from "./plan.js";
import { type Reference, referencesIn } from "./references.js";

/** What a reader of a plan sees as a bare id: in the keys and the changed fields of what is written or differs. */
export function bareIds(plan: Plan, kindOf: KindOf): readonly Reference[] {
  const found = new Set<Reference>();
  for (const step of [...plan.steps, ...pendingIn(plan)]) {
    if (step.changes.length === 0 && !writes(step)) continue;
    const { shape } = kindOf(step.address);
    const values = [step.identity, ...step.changes.flatMap(({ change }) => valuesOf(change))];
    for (const value of values) for (const one of referencesIn(value, shape)) found.add(one);
  }
  return [...found].filter((one) => plan.names[one] === undefined);
}

/** The shown values of a change, each at its place in a spec. */
function valuesOf(change: Change): readonly JsonObject[] {
  const { path } = change;
  const at = (value: Json) => within(value, path);
  if (change.type === "set") return [at([...change.added]), at([...change.removed])];
  if (change.type !== "choice") return [at(change.before), at(change.after)];
  const { from, to, before, after } = change;
  return [...(from === null ? [] : [at({ [from]: before })]), ...(to === null ? [] : [at({ [to]: after })])];
}

/** A value as the one member of each object on the way to it. Places in a list are left out: it is then one item. */
function within(value: Json, path: Change["path"]): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return value as JsonObject;
  const inner: Json = rest.length === 0 ? value : within(value, rest);
  return typeof first === "number" ? ([inner] as unknown as JsonObject) : { [first]: inner };
}
