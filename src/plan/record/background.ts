import { owns, type Unit, unitsOf } from "../../diff/own.js";
import type { Kind } from "../../kinds/kind.js";
import type { Json, JsonObject } from "../../model/json.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import { deedOf, type Step } from "../step.js";

/** What the state keeps of an object beside what was applied to it. */
export type Background = Pick<
  Entry,
  "file" | "original" | "meanings" | "unverified" | "createOnly" | "labels" | "late"
>;

/**
 * What a step that is done leaves in the state beside its record. It is the file and the labels of the manifest, what the
 * names in it mean, and each managed field as it was before remit first managed it. A field counts as seen only where the
 * object was read for the plan. An object of a create of unknown result is as remit made it.
 */
export function backgroundOf(
  step: Pick<Step, "managed" | "before" | "action" | "replaces">,
  { entry, create, isRead }: Past,
  { shape }: Pick<Kind, "shape">,
): Background {
  const file = step.managed.span === null ? entry?.file : step.managed.span.file;
  const labels = step.managed.labels ?? entry?.labels ?? {};
  const known = Object.keys(entry?.applied ?? {});
  const original = Object.fromEntries(
    unitsOf(shape)
      .filter((unit) => owns(step.managed.owned, unit))
      .flatMap((unit) => {
        if (owns(known, unit)) return membersOf(unit, entry?.original ?? {});
        return isRead && create === null && step.before !== null
          ? wholeOf(unit, step.before, step.managed.owned)
          : [];
      }),
  );
  return {
    ...(file === undefined || file === "-" ? {} : { file }),
    ...(entry?.late === undefined ? {} : { late: entry.late }),
    ...(Object.keys(original).length === 0 ? {} : { original }),
    ...(create === null ? unverifiedBy(step, entry) : createOnlyOf(create)),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(step.managed.meanings).length === 0 ? {} : { meanings: step.managed.meanings }),
  };
}

/** What is known of an object before its step. */
interface Past {
  readonly entry: Entry | null;
  /** Its create, whose result was not known. */
  readonly create: Uncertain | null;
  readonly isRead: boolean;
}

/** The create-only fields as a create sent them; nothing where it sent none. */
export function createOnlyOf({ createOnly }: Pick<Uncertain, "createOnly">): Pick<Background, "createOnly"> {
  return createOnly === undefined ? {} : { createOnly };
}

/** The create-only fields as the manifest writes them, of an object that remit did not create. */
function unverifiedBy(
  step: Pick<Step, "managed" | "action" | "replaces">,
  entry: Entry | null,
): Pick<Background, "unverified"> {
  const written = Object.keys(step.managed.createOnlySpans);
  if (deedOf(step) === "create" || entry?.createOnly !== undefined || written.length === 0) return {};
  return {
    unverified: Object.fromEntries(written.map((name) => [name, step.managed.identity[name] ?? null])),
  };
}

type Members = readonly (readonly [name: string, value: Json])[];

/** The members of a unit that an object has. */
function membersOf({ members }: Unit, fields: JsonObject): Members {
  return members.flatMap((name) => {
    const value = fields[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** The members that are set; where none is, that the unit was not set. */
function wholeOf(unit: Unit, fields: JsonObject, owned: readonly string[]): Members {
  const set = membersOf(unit, fields).filter(([, value]) => value !== null);
  if (set.length > 0) return set;
  // A marker cannot be cleared by its own name: another member of its group clears it.
  const [name] = [...owned.filter((one) => unit.members.includes(one)), ...unit.members].filter(
    (one) => unit.shape.fields.has(one) && unit.shape.fields.get(one)?.type !== "marker",
  );
  return name === undefined ? [] : [[name, null]];
}
