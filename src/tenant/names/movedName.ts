import { FINDER_WORDS, type Finder } from "../../kinds/named.js";
import { referable } from "../../kinds/referable.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { parseReference } from "../../model/meaning.js";
import type { Target } from "../../schema/shape.js";
import { say } from "../../words/say.js";

/** A name that means another object than at the last apply. */
export interface MovedName {
  /** The reference as `spellReference` writes it. */
  readonly reference: string;
  readonly was: string;
  readonly now: string;
}

/** A name that moved, in a sentence: `the entitlement with the alias "x" was E1 at the last apply, and is E2 now`. */
export function aboutMoved({ reference, was, now }: MovedName): string {
  const parsed = parseReference(reference);
  const what =
    parsed === undefined
      ? reference
      : `${referable(parsed.of as Target).noun.one} with the ${FINDER_WORDS[parsed.by as Finder] ?? parsed.by} ${JSON.stringify(parsed.text)}`;
  return `the ${what} was ${was} at the last apply, and is ${now} now`;
}

/** What a step says of a name in its manifest that moved. */
export function moved(one: MovedName): Diagnostic {
  return say("reference/moved", { moved: aboutMoved(one), was: one.was });
}
