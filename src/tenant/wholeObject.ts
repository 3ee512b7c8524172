import type { AdditivePart, Kind, ListedPart, Observed, ShownPart } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import { listOf } from "../kinds/spelling.js";
import { formatCallPath } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Fetched, Missed } from "./fetched.js";
import type { Reader } from "./reader.js";
import type { Need, Wanted } from "./reads.js";

interface WholeRead {
  readonly need?: Need;
  /** What the object is wanted for: which items to look for where the service lists none, and which lists; all lists when absent. */
  readonly wanted?: Pick<Wanted, "spec" | "expected" | "written">;
  /** What the row of a list showed of the object: only its parts are read. */
  readonly row?: Observed;
}

/**
 * Reads one object by its key, with the parts that the service keeps behind reads of their own. Undefined for an object that
 * is gone. A part that cannot be read leaves the whole object unread: what was not seen is never unset. Only a part with lists of
 * its own may be unread alone.
 */
export async function readWhole(
  kind: Kind,
  key: Key,
  reader: Reader,
  { need = "required", wanted, row }: WholeRead = {},
): Promise<Fetched<Observed | undefined>> {
  const shown =
    row === undefined ? await readOwn(kind, key, reader, need) : ({ as: "got", value: row } as const);
  if (shown.as !== "got") return shown;
  const { value: observed } = shown;
  const { parts = [] } = kind.reads;
  if (observed === undefined || parts.length === 0) return { as: "got", value: observed };
  const about = wanted === undefined ? [] : [wanted.spec, wanted.expected];
  const lists = parts.flatMap((part) => (part.as === "lists" && isWantedIn(part, wanted) ? [part] : []));
  const listed = lists.map((part) => readLists(kind, part, observed.key, reader, need));
  const others = parts.flatMap((part) => (part.as === "lists" ? [] : [part]));
  const read = await Promise.all(
    others.map((part) =>
      part.as === "items"
        ? readItems(kind, part, observed.key, { reader, need, items: itemsOf(part, about) })
        : readPart(kind, part, observed.key, reader, need),
    ),
  );
  const fields: [string, Json][] = [];
  const partsSay: Record<string, string> = {};
  for (const [place, fetched] of read.entries()) {
    if (fetched.as !== "got") return fetched;
    const { field = "" } = others[place] ?? {};
    fields.push([field, fetched.value.is]);
    if (fetched.value.says !== "") partsSay[field] = fetched.value.says;
  }
  const [settling, unread]: [string[], Record<string, string>] = [[], {}];
  for (const [place, fetched] of (await Promise.all(listed)).entries()) {
    const field = lists[place]?.field ?? "";
    if (fetched.as === "got") {
      const shown = normalise({ [field]: fetched.value }, kind.shape);
      const written = normalise({ [field]: wanted?.written?.[field] ?? null }, kind.shape);
      const isSettling = wanted?.written?.[field] !== undefined && !same(shown, written);
      if (isSettling) settling.push(field);
      fields.push(...Object.entries(isSettling ? written : shown));
    } else {
      const why = whyUnread(fetched);
      if (why === null) return fetched;
      unread[field] = why;
      fields.push([field, wanted?.expected?.[field] ?? null]);
    }
  }
  const all = normalise({ ...observed.fields, ...Object.fromEntries(fields) }, kind.shape);
  return {
    as: "got",
    value: {
      ...observed,
      fields: all,
      ...(settling.length > 0 && { settling }),
      ...(Object.keys(partsSay).length > 0 && { partsSay }),
      ...(Object.keys(unread).length > 0 && { unreadParts: unread }),
    },
  };
}

/** The object without its parts. */
async function readOwn(
  kind: Kind,
  key: Key,
  reader: Reader,
  need: Need,
): Promise<Fetched<Observed | undefined>> {
  const call = kind.reads.one(key);
  const fetched: Fetched<Json> = kind.reads.isList
    ? await reader.all(kind.name, call, need)
    : await reader.one(kind.name, call, need);
  return fetched.as === "got" ? { as: "got", value: kind.reads.observe(fetched.value, key) } : fetched;
}

/** Whether the row of a list shows all of an object that is wanted. */
export function isWholeInRow({ reads: { parts = [] } }: Kind, wanted: WholeRead["wanted"]): boolean {
  return parts.every((part) => part.as === "lists" && !isWantedIn(part, wanted));
}

/** Whether a part with lists of its own has to be read for an object. */
function isWantedIn({ field }: ListedPart, wanted: WholeRead["wanted"]): boolean {
  if (wanted === undefined) return true;
  return [wanted.spec, wanted.expected, wanted.written].some((one) => Object.hasOwn(one ?? {}, field));
}

/** Why a part is unread alone: the service does not show it to these credentials; null for any other trouble. */
export function whyUnread(missed: Missed): string | null {
  if (missed.as === "absent") return "it answered 404";
  if (missed.as === "not offered") return missed.why;
  return missed.trouble === "forbidden" ? missed.why : null;
}

/** The items of all lists of a part; one list that cannot be read leaves the part unread. */
export async function readLists(
  kind: Kind,
  { calls, observe }: ListedPart,
  key: Key,
  reader: Reader,
  need: Need,
): Promise<Fetched<Json>> {
  const read = await Promise.all(calls(key).map((call) => reader.all(kind.name, call, need)));
  const rows: Json[] = [];
  for (const fetched of read) {
    if (fetched.as !== "got") return fetched;
    rows.push(...fetched.value);
  }
  return { as: "got", value: [...observe(rows)] };
}

/** Every item that one of the objects has in a part, each once. */
function itemsOf({ field }: AdditivePart, about: readonly (JsonObject | null)[]): readonly JsonObject[] {
  const all = about.flatMap((object) => listOf(object ?? {}, field)).filter(isObject);
  return all.filter((item, at) => all.findIndex((other) => same(other, item)) === at);
}

/** What a part is, and what the service says of it beside that. */
interface SeenPart {
  readonly is: Json;
  readonly says: string;
}

/** The items that the service has in a part; one that cannot be read leaves the part unread. */
async function readItems(
  kind: Kind,
  { call, has }: AdditivePart,
  key: Key,
  {
    reader,
    need,
    items,
  }: { readonly reader: Reader; readonly need: Need; readonly items: readonly JsonObject[] },
): Promise<Fetched<SeenPart>> {
  const read = await Promise.all(items.map((item) => reader.one(kind.name, call(key, item), need)));
  const missed = read.find(({ as }) => as !== "got" && as !== "absent");
  if (missed !== undefined && missed.as !== "got") return missed;
  const isThere = (at: number) => {
    const fetched = read[at];
    return fetched?.as === "got" && has(fetched.value);
  };
  return { as: "got", value: { is: items.filter((_, at) => isThere(at)), says: "" } };
}

async function readPart(
  kind: Kind,
  { as, call: of, observe, none, noun, says }: ShownPart,
  key: Key,
  reader: Reader,
  need: Need,
): Promise<Fetched<SeenPart>> {
  const call = of(key);
  const fetched: Fetched<Json> =
    as === "list" ? await reader.all(kind.name, call, need) : await reader.one(kind.name, call, need);
  if (fetched.as !== "got" && fetched.as !== "absent") return fetched;
  const value = fetched.as === "got" ? observe(fetched.value) : none;
  if (value !== undefined)
    return {
      as: "got",
      value: { is: value, says: fetched.as === "got" ? (says?.(fetched.value) ?? "") : "" },
    };
  const why = `the service does not show the ${noun} of the ${kind.noun.one}: ${call.method} ${formatCallPath(call)}`;
  return { as: "failed", trouble: "refused", why, diagnostic: say("service/part-missing", { why }) };
}
