import type { Kind, KindPart, Observed } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import { formatCallPath } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import { say } from "../words/say.js";
import type { Fetched } from "./fetched.js";
import type { Need } from "./need.js";
import type { Reader } from "./reader.js";

/**
 * Reads one object by its key, with the parts that the service keeps behind reads of their own. Undefined for an object that
 * is gone. A part that cannot be read leaves the whole object unread: what was not seen is never unset.
 */
export async function readWhole(
  kind: Kind,
  key: Key,
  reader: Reader,
  need: Need = "required",
): Promise<Fetched<Observed | undefined>> {
  const call = kind.reads.one(key);
  const fetched: Fetched<Json> = kind.reads.isList
    ? await reader.all(kind.name, call, need)
    : await reader.one(kind.name, call, need);
  if (fetched.as !== "got") return fetched;
  const observed = kind.reads.observe(fetched.value, key);
  const { parts = [] } = kind.reads;
  if (observed === undefined || parts.length === 0) return { as: "got", value: observed };
  const read = await Promise.all(parts.map((part) => readPart(kind, part, observed.key, reader, need)));
  const fields: [string, Json][] = [];
  for (const [place, fetched] of read.entries()) {
    if (fetched.as !== "got") return fetched;
    fields.push([parts[place]?.field ?? "", fetched.value]);
  }
  const all = normalise({ ...observed.fields, ...Object.fromEntries(fields) }, kind.shape);
  return { as: "got", value: { ...observed, fields: all } };
}

async function readPart(
  kind: Kind,
  { call: of, isList, observe, none, noun }: KindPart,
  key: Key,
  reader: Reader,
  need: Need,
): Promise<Fetched<Json>> {
  const call = of(key);
  const fetched: Fetched<Json> = isList
    ? await reader.all(kind.name, call, need)
    : await reader.one(kind.name, call, need);
  if (fetched.as !== "got" && fetched.as !== "absent") return fetched;
  const value = fetched.as === "got" ? observe(fetched.value) : none;
  if (value !== undefined) return { as: "got", value };
  const why = `the service does not show the ${noun} of the ${kind.noun.one}: ${call.method} ${formatCallPath(call)}`;
  return { as: "failed", trouble: "refused", why, diagnostic: say("service/part-missing", { why }) };
}
