import { kindOf } from "../../kinds/index.js";
import type { KindPart, ListedPart } from "../../kinds/kind.js";
import { listOf, textOf } from "../../kinds/spelling.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { isObject, same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import type { Entry } from "../../state/snapshot.js";
import { parentOf } from "../../tenant/desire.js";
import type { Desired, Present } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import type { RecordLookup } from "../record/lookup.js";
import { valuesIn } from "../record/usual.js";
import type { Replacement } from "../step.js";
import { blockedInstead, type Decision } from "./decision.js";
import type { Situation } from "./situation.js";

/** An object without a manifest, with what is known of it. */
type Left = readonly [entry: Entry, known: Pick<Situation, "kind" | "seen">];

const REPLACING = ["create", "update", "set", "adopt"] as const satisfies readonly Replacement["by"][];

/** An object that no manifest stands for, and what is decided about it with `--prune`. */
export interface Removed {
  readonly entry: Entry;
  readonly decision: Decision;
  /** What is decided about it without `--prune`. */
  readonly kept: Decision;
  /** Whether an entry under `removed:` decides about it. */
  readonly isNamed: boolean;
}

const MOST_NAMED = 3;

type Place = NonNullable<Parameters<typeof say>[2]>;

/** What is wanted of an object once its parts with lists of their own are settled. */
interface Listed {
  readonly desired: Desired;
  /** What is said of them, whatever is decided. */
  readonly notes: readonly Diagnostic[];
  /** Whether the service may not show yet what was written. */
  readonly isSettling: boolean;
  /** Why nothing can be written; null where it can. */
  readonly obstacle: Diagnostic | null;
}

/**
 * Makes replacements of the decisions that give an address to another object, while no manifest stands for the object
 * that had it. An object that is made again after it has gone from the tenant replaces nothing.
 */
export function withReplacements(
  decisions: readonly Decision[],
  left: readonly Left[],
  { holder }: Pick<RecordLookup, "holder">,
): readonly Decision[] {
  if (left.length === 0) return decisions;
  const objects = new Map(left.map(([entry, known]) => [formatKey(entry.address.kind, entry.key), known]));
  return decisions.map((decision) => {
    const { address, key } = decision;
    const { identity } = decision.managed;
    const by = REPLACING.find((action) => action === decision.action);
    const old = holder(address);
    const known = old === null ? undefined : objects.get(formatKey(address.kind, old.key));
    if (by === undefined || old === null || known === undefined) return decision;
    const { kind, seen } = known;
    const isSibling = same(parentOf(kind, identity), old.key.slice(0, -1));
    if (key === null && isSibling && seen.as === "absent")
      return by === "create" ? { ...decision, reason: "gone from tenant" } : decision;
    return { ...decision, action: "replace", replaces: { key: old.key, by } };
  });
}

/**
 * Decides about creates beside removed objects. A create of a new address may be a removed object under another name,
 * and only the service's id shows that. `--prune` then neither deletes the one nor creates the other.
 */
export function withDoubtfulRenames(
  decisions: readonly Decision[],
  removed: readonly Removed[],
  memory: Pick<RecordLookup, "holder">,
): { readonly decisions: readonly Decision[]; readonly removed: readonly Decision[] } {
  const isNew = ({ address, action, reason, key }: Decision) =>
    (action === "create" || reason === "may exist") && key === null && memory.holder(address) === null;
  const open = removed.filter(
    ({ entry, decision, isNamed }) =>
      !isNamed && entry.former !== true && ["delete", "removed"].includes(decision.action),
  );
  const byPlace = groupBy(open, ({ entry }) => placeOf(entry.address.kind, entry.key.slice(0, -1)));
  const doubtful = new Set<Removed>();
  const decided = decisions.map((decision): Decision => {
    const { address } = decision;
    const { identity } = decision.managed;
    const place = placeOf(address.kind, parentOf(kindOf(address), identity));
    const siblings = isNew(decision) ? (byPlace.get(place) ?? []) : [];
    if (siblings.length === 0) return decision;
    const pruned = siblings.filter((one) => one.decision.action === "delete");
    for (const one of pruned) doubtful.add(one);
    return pruned.length === 0 || decision.action === "blocked"
      ? { ...decision, diagnostics: [...decision.diagnostics, mayBeRename(decision, siblings)] }
      : blockedInstead(decision, "may exist", [unclearRename(decision, pruned)]);
  });
  return {
    decisions: decided,
    removed: removed.map((one) => (doubtful.has(one) ? one.kept : one.decision)),
  };
}

function placeOf(kind: string, parent: readonly string[]): string {
  return [kind, ...parent].join("/");
}

function unclearRename(decision: Decision, pruned: readonly Removed[]): Diagnostic {
  const [one] = pruned;
  const from = one === undefined ? "" : formatAddress(one.entry.address);
  return say(
    "plan/rename-unclear",
    { address: decision.address, pruned: inWords(pruned), pruned2: pruned.length, from },
    { span: decision.managed.span },
  );
}

function mayBeRename(decision: Decision, siblings: readonly Removed[]): Diagnostic {
  const [one] = siblings;
  const from = one === undefined ? "" : formatAddress(one.entry.address);
  return say(
    "plan/rename-possible",
    { address: decision.address, siblings: inWords(siblings), from },
    { span: decision.managed.span },
  );
}

function inWords(removed: readonly Removed[]): string {
  const names = removed.map(({ entry }) => formatAddress(entry.address)).sort();
  const [shown, more] = [names.slice(0, MOST_NAMED), names.length - MOST_NAMED];
  return more > 0 ? `${shown.join(", ")} or ${more} more` : shown.join(" or ");
}

/**
 * Completes what a manifest wants of parts with lists of their own: an item without a role has the one that all known
 * items have. A part that could not be read is wanted as it is recorded, so that nothing of it is written.
 */
export function withListedParts(desired: Desired, situation: Situation): Listed {
  const { kind, seen } = situation;
  const parts = (kind.reads.parts ?? []).filter(isListed);
  let listed: Listed = { desired, notes: [], isSettling: false, obstacle: null };
  for (const part of parts.filter(({ field }) => desired.owned.includes(field))) {
    const place = { span: desired.resource.place(["spec", part.field]).span };
    const names = { parts: part.noun, noun: kind.noun.one };
    const { unreadParts = {}, settling = [] } = seen.as === "present" ? seen : {};
    const why = unreadParts[part.field];
    if (why !== undefined && seen.as === "present") {
      const notes = [...listed.notes, say("plan/part-unread", { ...names, why }, place)];
      listed = { ...listed, desired: asRecorded(listed.desired, part, seen), notes };
    } else {
      const isSettling = settling.includes(part.field);
      const notes = isSettling ? [...listed.notes, say("plan/settling", names, place)] : listed.notes;
      const wanted = completed(listed, part, situation, place);
      listed = { ...wanted, notes, isSettling: listed.isSettling || isSettling };
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
