import { code, inline } from "../../text/escape.js";
import type { Fact } from "../../view/facts.js";

/** The tenant and the commit of a result, in one line; `more` stands at its end. */
export function factsLine(facts: readonly Fact[], ...more: readonly string[]): string {
  const shown = facts.map(({ text, value }) =>
    [...(text === "" ? [] : [inline(text)]), ...(value === "" ? [] : [code(value)])].join(" "),
  );
  return [...shown, ...more].join(" · ");
}
