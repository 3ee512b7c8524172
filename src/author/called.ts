import type { Named } from "../kinds/named.js";
import { referable } from "../kinds/referable.js";
import type { Candidates } from "../tenant/names/candidates.js";
import { type Catalogue, type PointedAt, pointedText } from "../tenant/names/catalogue.js";
import type { Called } from "./pointers.js";

/** The finders that a new manifest uses, the most lasting first; a slug may change with a name. */
const WRITTEN = ["alias", "name"] as const;

/**
 * What each of some ids is called. A reference is given only where it finds exactly that thing in a list that was read to
 * its end. The project file may give the name to no other app.
 */
export async function callAll(
  pointed: readonly PointedAt[],
  catalogue: Catalogue,
  given: Readonly<Record<string, string>>,
): Promise<(pointed: PointedAt) => Called | undefined> {
  const called = new Map<string, Called>();
  const distinct = new Map(pointed.map((one) => [pointedText(one), one]));
  await Promise.all(
    [...distinct].map(async ([place, one]) => {
      const found = await catalogue.find(one);
      if (found === undefined) return;
      const listed = await catalogue.every(one.of, one.app);
      const reference = listed === null ? null : referenceTo(one, listed, given);
      called.set(place, { name: fullName(found), reference });
    }),
  );
  return (one) => called.get(pointedText(one));
}

/** Two people may have one name: the e-mail address says which of them. */
function fullName({ name, email = "" }: Named): string {
  if (email === "" || name === "") return name === "" ? email : name;
  return `${name} <${email}>`;
}

function referenceTo(
  { of, id }: PointedAt,
  listed: Candidates,
  given: Readonly<Record<string, string>>,
): Called["reference"] {
  const named = listed.withId(id);
  const { finders } = referable(of);
  for (const by of WRITTEN) {
    const text = named?.[by] ?? "";
    if (text === "" || !(finders as readonly string[]).includes(by)) continue;
    if (by === "name" && of === "app" && Object.hasOwn(given, text) && given[text] !== id) continue;
    if (listed.called(by, text).length === 1) return { [by]: text };
  }
  return null;
}
