import { type Person, peopleOf } from "../../impact/person.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { TestDocument } from "./document.js";

/** The made-up people of a test, by their names in it. */
export function peopleIn({ people }: Pick<TestDocument, "people">): ReadonlyMap<string, Person> {
  const names = Object.keys(people);
  const written = new Map(names.map((name) => [name, writtenOf(name, people)]));
  const ids = new Map([...written].map(([name, one]) => [name, textIn(one, "id") ?? `person ${name}`]));
  const rows = [...written].map(([name, one]) => rowOf(name, one, ids));
  const made = peopleOf(rows);
  return new Map(names.map((name, at) => [name, made[at] as Person]));
}

/** What is written of a person, with what it takes from the one it is like. Maps are taken over member by member. */
function writtenOf(name: string, people: TestDocument["people"]): JsonObject {
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
