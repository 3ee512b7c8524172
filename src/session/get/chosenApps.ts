import { type Candidates, inWords } from "../../current/names/candidates.js";
import type { Catalogue } from "../../current/names/catalogue.js";
import type { Named } from "../../kinds/named.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { nearestInWords } from "../../schema/didYouMean.js";

/** The ids of the apps that a command line names; null for every app. */
export async function appsOf(
  texts: readonly string[],
  catalogue: Catalogue,
): Promise<Checked<ReadonlySet<string> | null>> {
  if (texts.length === 0) return { value: null, diagnostics: [] };
  const listed = await catalogue.every("app", "");
  if (listed === null) return { value: null, diagnostics: [NO_APPS] };
  const ids = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const known = listed.withId(text);
    const named = known === undefined ? listed.called("name", text) : [known];
    const [only] = named;
    if (only !== undefined && named.length === 1) ids.add(only.id);
    else diagnostics.push(noOneApp(text, named, listed));
  }
  return { value: ids, diagnostics };
}

const NO_APPS: Diagnostic = {
  code: "reference/unseen",
  severity: "error",
  message: "the list of apps could not be read, so no app can be chosen",
  hint: "Give the client a permission to read apps, or import without --app.",
};

function noOneApp(text: string, named: readonly Named[], listed: Candidates): Diagnostic {
  const isNone = named.length === 0;
  const name = JSON.stringify(text);
  const known = new Set([...listed.every()].map((app) => app.name));
  return {
    code: isNone ? "reference/not-found" : "reference/ambiguous",
    severity: "error",
    message: isNone ? `no app has the id or the name ${name}` : `${named.length} apps have the name ${name}`,
    hint: isNone
      ? `Write the app's name exactly, or its id.${nearestInWords(text, [...known].filter(Boolean))}`
      : `Write the id of the right one: ${inWords(named)}.`,
  };
}
