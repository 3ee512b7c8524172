import type { PlanReport } from "../plan/report.js";
import { sinceOf } from "../plan/words/tally.js";

/** What a result is about: a word before it, and a value; either may be empty. */
export interface Fact {
  readonly text: string;
  readonly value: string;
}

interface About {
  readonly server: string | null;
  readonly context?: string;
  readonly commit: string | null;
  readonly since?: PlanReport["since"];
}

/** The tenant and the commit of a result, in the order of reading. */
export function factsOf({ server, context, commit, since = null }: About): readonly Fact[] {
  return [
    ...(context === undefined ? [] : [{ text: "context", value: context }]),
    ...(server === null ? [] : [{ text: "", value: server }]),
    ...(commit === null ? [] : [{ text: "commit", value: commit.slice(0, 12) }]),
    ...(since === null ? [] : [{ text: sinceOf(since), value: "" }]),
  ];
}

/** A fact as plain text. */
export function plainFact({ text, value }: Fact): string {
  return text === "" || value === "" ? text + value : `${text} ${value}`;
}
