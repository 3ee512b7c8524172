import type { KindPart, ListedPart } from "../../kinds/kind.js";
import { listOf, textOf } from "../../kinds/spelling.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject } from "../../model/json.js";
import type { Desired, Present } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { valuesIn } from "../record/usual.js";
import type { Situation } from "./situation.js";

type Place = NonNullable<Parameters<typeof say>[2]>;

/** What is wanted of an object once its parts with lists of their own are settled. */
interface Listed {
  readonly desired: Desired;
  /** What is said of them, whatever is decided. */
  readonly notes: readonly Diagnostic[];
  /** Why nothing can be written; null where it can. */
  readonly obstacle: Diagnostic | null;
}

/**
 * Completes what a manifest wants of parts with lists of their own: an item without a role has the one that all known
 * items have. A part that could not be read is wanted as it is recorded, so that nothing of it is written.
 */
export function withListedParts(desired: Desired, situation: Situation): Listed {
  const { kind, seen } = situation;
  const parts = (kind.reads.parts ?? []).filter(isListed);
  let listed: Listed = { desired, notes: [], obstacle: null };
  for (const part of parts.filter(({ field }) => desired.owned.includes(field))) {
    const place = { span: desired.resource.place(["spec", part.field]).span };
    const names = { parts: part.noun, noun: kind.noun.one };
    const { unreadParts = {}, settling = [] } = seen.as === "present" ? seen : {};
    const why = unreadParts[part.field];
    if (why !== undefined && seen.as === "present") {
      const notes = [...listed.notes, say("plan/part-unread", { ...names, why }, place)];
      listed = { ...listed, desired: asRecorded(listed.desired, part, seen), notes };
    } else {
      const notes = settling.includes(part.field) ? [say("plan/settling", names, place)] : [];
      listed = { ...completed(listed, part, situation, place), notes: [...listed.notes, ...notes] };
    }
  }
  return listed;
}

function isListed(part: KindPart): part is ListedPart {
  return part.as === "lists";
}

/** A part of an object as it was recorded; not wanted where it is not recorded. */
function asRecorded(desired: Desired, { field }: ListedPart, { fields }: Present): Desired {
  const { [field]: _, ...others } = desired.fields;
  const recorded = fields[field];
  return recorded === undefined
    ? { ...desired, owned: desired.owned.filter((name) => name !== field), fields: others }
    : { ...desired, fields: { ...others, [field]: recorded } };
}

function completed(
  listed: Listed,
  part: ListedPart,
  { seen, entry, usual, kind }: Situation,
  place: Place,
): Listed {
  const { field, usual: member, noun } = part;
  const items = listOf(listed.desired.fields, field).filter(isObject);
  if (items.every((item) => textOf(item, member) !== "")) return listed;
  const shown = seen.as === "present" || seen.as === "recorded" ? (seen.fields ?? {}) : {};
  const own = valuesIn([...listOf(shown, field), ...listOf(entry?.applied ?? {}, field)], member);
  const values = own.length > 0 ? own : usual(part);
  const [value] = values;
  if (values.length !== 1 || value === undefined) {
    const said = values.length === 0 ? "plan/usual-unknown#none" : "plan/usual-unknown#several";
    return { ...listed, obstacle: say(said, { parts: noun, noun: kind.noun.one, member, values }, place) };
  }
  const filled = items.map((item) => (textOf(item, member) === "" ? { ...item, [member]: value } : item));
  return { ...listed, desired: { ...listed.desired, fields: { ...listed.desired.fields, [field]: filled } } };
}
