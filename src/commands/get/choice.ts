import { kinds } from "../../kinds/index.js";
import { LISTED, referable } from "../../kinds/referable.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import type { GetChoice } from "./objects.js";

type Sort = GetChoice["lists"][number]["of"];

/** What a command line calls the lists of objects that ids point at: `resource-types`. */
export const SORTS: ReadonlyMap<string, Sort> = new Map(LISTED.map((sort) => [wordOf(sort), sort]));

/** What a command line calls a list. */
export function wordOf(sort: Sort): string {
  return sort === "template" ? "templates" : referable(sort).noun.many.replaceAll(" ", "-");
}

const VALUES = "values";

/** Everything that a command line may begin with: kinds, then lists. */
export const WORDS: readonly string[] = [...kinds.map(({ name }) => name), ...SORTS.keys(), VALUES];

/** What a command line asks for; every kind where it names nothing. */
export function choiceFrom(texts: readonly string[]): Checked<GetChoice> {
  const objects: GetChoice["objects"][number][] = [];
  const lists: GetChoice["lists"][number][] = [];
  const values: (string | null)[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const slash = text.indexOf("/");
    const word = slash < 0 ? text : text.slice(0, slash);
    const rest = slash < 0 ? null : text.slice(slash + 1);
    const only = rest === "" ? null : rest;
    const of = SORTS.get(word);
    if (word === VALUES) values.push(only);
    else if (of !== undefined) lists.push({ of, only });
    else if (kinds.some(({ name }) => name === word)) objects.push({ kind: word, only });
    else
      diagnostics.push(
        say(
          "command/no-such-kind#unknown",
          { word },
          { hint: `${didYouMean(word, WORDS) ?? ""} Write one of ${WORDS.join(", ")}.`.trim() },
        ),
      );
  }
  const every = texts.length === 0 ? kinds.map(({ name }) => ({ kind: name, only: null })) : objects;
  return { value: { objects: every, lists, values }, diagnostics };
}
