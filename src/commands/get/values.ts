import { fieldNamed } from "../../impact/fieldNames.js";
import { attributesOf } from "../../kinds/people.js";
import { MESSAGES } from "../../manifest/environments.js";
import type { Checked } from "../../model/diagnostic.js";
import { canonical, isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { readPeople } from "../../tenant/people.js";
import type { Reader } from "../../tenant/reader.js";
import { say } from "../../words/say.js";

/** The values that users have of one attribute, the most frequent first. */
export interface AttributeValues {
  /** As a rule writes it after `subject.`. */
  readonly attribute: string;
  readonly values: readonly ValueCount[];
  /** How many of the users have none. */
  readonly without: number;
  /** Whether these are all users of the tenant. */
  readonly isWhole: boolean;
}

interface ValueCount {
  readonly value: Json;
  readonly users: number;
}

/** Counts the values of some attributes; null asks which attributes users have. Null where no user could be read. */
export async function countValues(
  asked: readonly (string | null)[],
  reader: Reader,
): Promise<Checked<readonly AttributeValues[] | null>> {
  if (asked.length === 0) return { value: [], diagnostics: [] };
  const counts = new Map<string, Map<string, number>>();
  let users = 0;
  const list = await readPeople(reader, Number.POSITIVE_INFINITY).users(null, (rows) => {
    users += rows.length;
    for (const row of rows) count(attributesOf(row), counts);
  });
  const isWhole = await list.isSteady;
  if (users === 0) {
    const why = reader.unknown().find(({ what }) => what === "users")?.why;
    return {
      value: null,
      diagnostics: [why === undefined ? say("get/no-values#none") : say("get/no-values#refused", { why })],
    };
  }
  const names = [...counts.keys()].sort();
  const wanted = asked.flatMap((name) => (name === null ? [] : [spelled(name, names)]));
  const unknown = wanted.filter((name) => !counts.has(name) && !KNOWN.has(name));
  const diagnostics = unknown.map((name) =>
    say("get/no-values#attribute", { name }, { hint: didYouMean(name, names) ?? known(names) }),
  );
  const found = [...new Set(wanted)].filter((name) => !unknown.includes(name));
  const value = found.map((attribute) =>
    valuesOf(attribute, counts.get(attribute) ?? new Map(), users, isWhole),
  );
  if (asked.includes(null)) value.unshift(attributesIn(counts, isWhole));
  return { value: value.length === 0 ? null : value, diagnostics };
}

/** The attributes themselves, with how many users have each. */
function attributesIn(
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
  isWhole: boolean,
): AttributeValues {
  const values = [...counts].map(([value, each]): ValueCount => ({ value, users: each.get(HAVE_ANY) ?? 0 }));
  const byName = values.sort((one, other) => (String(one.value) < String(other.value) ? -1 : 1));
  return { attribute: "attributes", values: byName, without: 0, isWhole };
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(MESSAGES.User));
/** An attribute as the service spells it: rules know some in two spellings, and a member of the profile by its own name. */
function spelled(asked: string, names: readonly string[]): string {
  const name = asked.replace(/^subject\./, "");
  const ways = [name, `profile.${name}`, ...(KNOWN.has(name) ? [fieldNamed(name)] : [])];
  return ways.find((way) => names.includes(way)) ?? name;
}

function known(names: readonly string[]): string {
  return `Users have ${names.join(", ")}.`;
}

function count(user: JsonObject, counts: Map<string, Map<string, number>>): void {
  for (const [name, value] of Object.entries(user)) {
    if (name !== "profile" || !isObject(value)) add(name, value, counts);
    else for (const [member, inner] of Object.entries(value)) add(`profile.${member}`, inner, counts);
  }
}

function add(name: string, value: Json, counts: Map<string, Map<string, number>>): void {
  if (value === null || value === "") return;
  const ofName = counts.get(name) ?? new Map<string, number>();
  counts.set(name, ofName);
  const each = new Set((Array.isArray(value) ? value : [value]).map(canonical));
  for (const text of each) ofName.set(text, (ofName.get(text) ?? 0) + 1);
  // A user with a list of values is counted at each of them, and once below.
  ofName.set(HAVE_ANY, (ofName.get(HAVE_ANY) ?? 0) + 1);
}

/** Under which the users are counted that have any value: no JSON text is empty. */
const HAVE_ANY = "";

function valuesOf(
  attribute: string,
  counts: ReadonlyMap<string, number>,
  users: number,
  isWhole: boolean,
): AttributeValues {
  const values = [...counts]
    .filter(([text]) => text !== HAVE_ANY)
    .sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([text, users]): ValueCount => ({ value: JSON.parse(text), users }));
  return { attribute, values, without: users - (counts.get(HAVE_ANY) ?? 0), isWhole };
}
