import { kinds } from "../../../kinds/index.js";
import type { Checked, Diagnostic } from "../../../model/diagnostic.js";
import { didYouMean } from "../../../schema/didYouMean.js";
import type { GetChoice } from "../../../session/get/get.js";
import { say } from "../../../words/say.js";

type Sort = GetChoice["lists"][number]["of"];

/** What a command line calls the lists of objects that ids point at. */
export const SORTS = {
  apps: "app",
  entitlements: "entitlement",
  "resource-types": "resourceType",
  templates: "template",
  users: "user",
  "access-profiles": "accessProfile",
  "risk-levels": "riskLevel",
  "compliance-frameworks": "complianceFramework",
} as const satisfies Readonly<Record<string, Sort>>;

/** Everything that a command line may begin with: kinds, then lists. */
export const WORDS: readonly string[] = [...kinds.map(({ name }) => name), ...Object.keys(SORTS)];

/** What a command line asks for; every kind where it names nothing. */
export function choiceFrom(texts: readonly string[]): Checked<GetChoice> {
  const objects: GetChoice["objects"][number][] = [];
  const lists: GetChoice["lists"][number][] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const slash = text.indexOf("/");
    const word = slash < 0 ? text : text.slice(0, slash);
    const rest = slash < 0 ? null : text.slice(slash + 1);
    const only = rest === "" ? null : rest;
    const of = Object.hasOwn(SORTS, word) ? SORTS[word as keyof typeof SORTS] : undefined;
    if (of !== undefined) lists.push({ of, only });
    else if (kinds.some(({ name }) => name === word)) objects.push({ kind: word, only });
    else diagnostics.push(unknown(word));
  }
  const every = texts.length === 0 ? kinds.map(({ name }) => ({ kind: name, only: null })) : objects;
  return { value: { objects: every, lists }, diagnostics };
}

function unknown(word: string): Diagnostic {
  return say(
    "command/no-such-kind#unknown",
    { word },
    { hint: `${didYouMean(word, WORDS) ?? ""} Write one of ${WORDS.join(", ")}.`.trim() },
  );
}
