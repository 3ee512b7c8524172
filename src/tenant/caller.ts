import { kindOf } from "../kinds/index.js";
import { introspection, ownerIn } from "../kinds/people.js";
import { listOf, textOf } from "../kinds/spelling.js";
import { isObject } from "../model/json.js";
import { formatKey } from "../model/key.js";
import type { Current, Desired } from "./known.js";
import type { Reader } from "./reader.js";

/**
 * The user of these credentials, asked where manifests take people out of a list that calls of its own change. Null where
 * none does, and where the service does not say.
 */
export async function callerAmong(
  desired: readonly Desired[],
  { objects }: Pick<Current, "objects">,
  reader: Reader | null,
): Promise<string | null> {
  if (reader === null || !desired.some((one) => removesPeople(one, objects))) return null;
  const fetched = await reader.one("this client's user", introspection(), "optional");
  return fetched.as === "got" ? (ownerIn(fetched.value) ?? null) : null;
}

function removesPeople(
  { resource: { address }, key, owned, fields }: Desired,
  objects: Current["objects"],
): boolean {
  const seen = key === null ? undefined : objects.get(formatKey(address.kind, key));
  if (seen?.as !== "present") return false;
  const lists = (kindOf(address).reads.parts ?? []).filter(
    ({ as, field }) => as === "lists" && owned.includes(field),
  );
  return lists.some(({ field }) => {
    const people = (of: typeof fields) =>
      listOf(of, field)
        .filter(isObject)
        .map((one) => textOf(one, "user"));
    const wanted = new Set(people(fields));
    return people(seen.fields).some((user) => !wanted.has(user));
  });
}
