import type { AdditivePart, Kind, Observed, ShownPart } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import { listOf } from "../kinds/spelling.js";
import { formatCallPath } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Fetched } from "./fetched.js";
import type { Need } from "./need.js";
import type { Reader } from "./reader.js";

interface WholeRead {
  readonly need?: Need;
  /** Objects with the items to look for where the service lists none. */
  readonly about?: readonly (JsonObject | null)[];
}

/**
 * Reads one object by its key, with the parts that the service keeps behind reads of their own. Undefined for an object that
 * is gone. A part that cannot be read leaves the whole object unread: what was not seen is never unset.
 */
export async function readWhole(
  kind: Kind,
  key: Key,
  reader: Reader,
  { need = "required", about = [] }: WholeRead = {},
): Promise<Fetched<Observed | undefined>> {
  const call = kind.reads.one(key);
  const fetched: Fetched<Json> = kind.reads.isList
    ? await reader.all(kind.name, call, need)
    : await reader.one(kind.name, call, need);
  if (fetched.as !== "got") return fetched;
  const observed = kind.reads.observe(fetched.value, key);
  const { parts = [] } = kind.reads;
  if (observed === undefined || parts.length === 0) return { as: "got", value: observed };
  const read = await Promise.all(
    parts.map((part) =>
      part.as === "items"
        ? readItems(kind, part, observed.key, { reader, need, items: itemsOf(part, about) })
        : readPart(kind, part, observed.key, reader, need),
    ),
  );
  const fields: [string, Json][] = [];
  for (const [place, fetched] of read.entries()) {
    if (fetched.as !== "got") return fetched;
    fields.push([parts[place]?.field ?? "", fetched.value]);
  }
  const all = normalise({ ...observed.fields, ...Object.fromEntries(fields) }, kind.shape);
  return { as: "got", value: { ...observed, fields: all } };
}

/** Every item that one of the objects has in a part, each once. */
function itemsOf({ field }: AdditivePart, about: WholeRead["about"] = []): readonly JsonObject[] {
  const all = about.flatMap((object) => listOf(object ?? {}, field)).filter(isObject);
  return all.filter((item, at) => all.findIndex((other) => same(other, item)) === at);
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
): Promise<Fetched<Json>> {
  const read = await Promise.all(items.map((item) => reader.one(kind.name, call(key, item), need)));
  const missed = read.find(({ as }) => as !== "got" && as !== "absent");
  if (missed !== undefined) return missed;
  const isThere = (at: number) => {
    const fetched = read[at];
    return fetched?.as === "got" && has(fetched.value);
  };
  return { as: "got", value: items.filter((_, at) => isThere(at)) };
}

async function readPart(
  kind: Kind,
  { as, call: of, observe, none, noun }: ShownPart,
  key: Key,
  reader: Reader,
  need: Need,
): Promise<Fetched<Json>> {
  const call = of(key);
  const fetched: Fetched<Json> =
    as === "list" ? await reader.all(kind.name, call, need) : await reader.one(kind.name, call, need);
  if (fetched.as !== "got" && fetched.as !== "absent") return fetched;
  const value = fetched.as === "got" ? observe(fetched.value) : none;
  if (value !== undefined) return { as: "got", value };
  const why = `the service does not show the ${noun} of the ${kind.noun.one}: ${call.method} ${formatCallPath(call)}`;
  return { as: "failed", trouble: "refused", why, diagnostic: say("service/part-missing", { why }) };
}
