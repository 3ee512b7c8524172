import { referable } from "../../../kinds/referable.js";
import type { JsonObject } from "../../../model/json.js";
import type { Catalogue, PointedAt } from "../../../tenant/names/catalogue.js";

/** What tells things of one sort apart for people, the best first. */
const NAMES = ["name", "alias"] as const;

/**
 * What people call what some ids point at, as a reference reads: a user by the e-mail address, anything else by a name that
 * nothing else of its sort has. Null where there is none.
 */
export async function peopleCall(
  pointed: readonly PointedAt[],
  catalogue: Catalogue,
): Promise<(pointed: PointedAt) => JsonObject | null> {
  const distinct = new Map(pointed.map((one) => [placeOf(one), one]));
  const called = new Map<string, JsonObject | null>();
  await Promise.all(
    [...distinct].map(async ([place, one]) => called.set(place, await referenceFor(one, catalogue))),
  );
  return (one) => called.get(placeOf(one)) ?? null;
}

async function referenceFor(pointed: PointedAt, catalogue: Catalogue): Promise<JsonObject | null> {
  const { of, app } = pointed;
  const named = await catalogue.find(pointed);
  if (named === undefined) return null;
  const finders: readonly string[] = referable(of).finders;
  if (finders.includes("email")) return named.email === undefined ? null : { email: named.email };
  const listed = await catalogue.every(of, app);
  for (const by of NAMES) {
    const text = named[by] ?? "";
    if (text !== "" && finders.includes(by) && listed?.called(by, text).length === 1) return { [by]: text };
  }
  return null;
}

function placeOf({ of, app, id }: PointedAt): string {
  return `${of}:${app}/${id}`;
}
