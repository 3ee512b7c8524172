import { USER_STATUS } from "../../impact/enums.js";
import { type Person, peopleOf } from "../../impact/person.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { didYouMean } from "../../schema/didYouMean.js";

/** The made-up people of a test, and who of them holds what, by the names that the test gives. */
export interface MadeUp {
  readonly people: Readonly<Record<string, JsonObject>>;
  readonly entitlements: Readonly<Record<string, readonly string[]>>;
}

/** What is wrong with a test, and where. */
export interface TestMistake {
  readonly problem: string;
  readonly hint: string;
  readonly path: Path;
}

/** The made-up people of a test, by their names in it. */
export function peopleIn({ people }: Pick<MadeUp, "people">): ReadonlyMap<string, Person> {
  const names = Object.keys(people);
  const written = new Map(names.map((name) => [name, writtenOf(name, people)]));
  const ids = new Map([...written].map(([name, one]) => [name, textIn(one, "id") ?? `person ${name}`]));
  const rows = [...written].map(([name, one]) => rowOf(name, one, ids));
  const gone = new Set(rows.flatMap(({ status, id = null }) => (status === "DELETED" ? [id] : [])));
  const made = peopleOf(
    rows.map(({ managerIds, ...row }) =>
      Array.isArray(managerIds) ? { ...row, managerIds: managerIds.filter((id) => !gone.has(id)) } : row,
    ),
  );
  return new Map(names.map((name, at) => [name, made[at] as Person]));
}

/** Whom a rule finds when it asks about others than its subject: the service lists no deleted user. */
export function directoryOf(people: ReadonlyMap<string, Person>): readonly Person[] {
  return [...people.values()].filter(({ status }) => status !== USER_STATUS.DELETED);
}

/** Names of people that a test does not have, and people who are like themselves. */
export function mistakesIn({ people, entitlements }: MadeUp): readonly TestMistake[] {
  const used = Object.entries(people).flatMap(([name, person]) =>
    ["like", "manager"].map((member) => ({
      name: person[member],
      path: ["people", name, member] as Path,
    })),
  );
  const held = Object.entries(entitlements).flatMap(([name, holders]) =>
    holders.map((holder, at) => ({ name: holder, path: ["entitlements", name, at] as Path })),
  );
  return [
    ...used.flatMap(({ name, path }) => (typeof name === "string" ? stranger(name, people, path) : [])),
    ...Object.keys(people)
      .filter((name) => isCircle(name, people))
      .map((name) => ({
        ...{ problem: `${name} is like itself`, hint: "Remove one `like`." },
        path: ["people", name],
      })),
    ...held.flatMap(({ name, path }) => stranger(name, people, path)),
  ];
}

/** The mistake of a name that no person of the test has; none where one has it. */
export function stranger(name: string, people: MadeUp["people"], path: Path): readonly TestMistake[] {
  const names = Object.keys(people);
  if (names.includes(name)) return [];
  const hint =
    didYouMean(name, names) ??
    (names.length === 0 ? "Add it under `people:`." : `The people are ${names.join(", ")}.`);
  return [{ problem: `the test has no person ${name}`, hint, path }];
}

function isCircle(name: string, people: MadeUp["people"]): boolean {
  const seen = new Set<Json>();
  for (let at: Json = name; typeof at === "string"; at = people[at]?.like ?? null) {
    if (seen.has(at)) return at === name;
    seen.add(at);
  }
  return false;
}

/** What is written of a person, with what it takes from the one it is like. Maps are taken over member by member. */
function writtenOf(name: string, people: MadeUp["people"]): JsonObject {
  const { like, ...own } = people[name] ?? {};
  if (typeof like !== "string") return own;
  const { id: _, name: __, email: ___, ...other } = writtenOf(like, people);
  const maps = ["profile", "fields"].flatMap((member) => {
    const [inherited, mine] = [other[member] ?? null, own[member] ?? null];
    return isObject(inherited) && isObject(mine) ? [[member, { ...inherited, ...mine }] as const] : [];
  });
  return { ...other, ...own, ...Object.fromEntries(maps) };
}

/** The row of a person as the service shows one. */
function rowOf(name: string, written: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const { email, department, jobTitle, manager, status = "ENABLED", profile, fields } = written;
  return {
    status,
    directoryStatus: status,
    type: "USER_TYPE_HUMAN",
    ...(email !== undefined && { email, emails: [email] }),
    ...(department !== undefined && { department }),
    ...(jobTitle !== undefined && { jobTitle }),
    ...(typeof manager === "string" && { managerIds: [ids.get(manager) ?? manager] }),
    ...(profile !== undefined && { profile }),
    ...(isObject(fields ?? null) ? (fields as JsonObject) : {}),
    id: ids.get(name) ?? name,
    displayName: textIn(written, "name") ?? name,
  };
}

function textIn(value: JsonObject, name: string): string | null {
  const found = value[name];
  return typeof found === "string" ? found : null;
}
