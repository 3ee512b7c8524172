import type { Named } from "../../kinds/named.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { nearestInWords } from "../../schema/didYouMean.js";
import { type Candidates, inWords } from "../../tenant/names/candidates.js";
import type { Catalogue } from "../../tenant/names/catalogue.js";
import { say } from "../../words/say.js";

/** The ids of the apps that a command line names; null for every app. */
export async function appsOf(
  texts: readonly string[],
  catalogue: Catalogue,
): Promise<Checked<ReadonlySet<string> | null>> {
  if (texts.length === 0) return { value: null, diagnostics: [] };
  const listed = await catalogue.every("app", "");
  if (listed === null) return { value: null, diagnostics: [say("reference/unseen#chosenApps")] };
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

function noOneApp(text: string, named: readonly Named[], listed: Candidates): Diagnostic {
  const known = new Set([...listed.every()].map((app) => app.name));
  const near = nearestInWords(text, [...known].filter(Boolean));
  return named.length === 0
    ? say("reference/not-found#app", { text, near })
    : say("reference/ambiguous#apps", { count: named.length, text, known: inWords(named) });
}
