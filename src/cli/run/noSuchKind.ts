import type { Diagnostic } from "../../model/diagnostic.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";

/** That a command line names a kind that there is not, with the nearest one and what may be written. */
export function noSuchKind(kind: string, known: readonly string[], write: string): Diagnostic {
  const hint = `${didYouMean(kind, known) ?? ""} ${write}`.trim();
  return say("command/no-such-kind#noKind", { kind }, { hint });
}
