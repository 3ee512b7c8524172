import type { Diagnostic } from "../model/diagnostic.js";
import { quote } from "../words/quote.js";
import type { Failed } from "./fetched.js";

const MOST_NAMED = 4;

/** The one error of a run that could not read what it needs: what it asked, what it received, and how to continue. */
export function failedRun(first: Failed, more: readonly Failed[]): Diagnostic {
  const refused = [first, ...more].find(
    ({ trouble }) => trouble === "credentials" || trouble === "unauthenticated",
  );
  if (refused !== undefined) return refused.diagnostic;
  const messages = [...new Set([first, ...more].map(({ diagnostic }) => diagnostic.message))];
  const rest = messages.length - MOST_NAMED;
  const named = messages.slice(0, MOST_NAMED).join("; ");
  const { code, hint } = first.diagnostic;
  const message = `the tenant could not be read: ${named}${rest > 0 ? `; and ${rest} more` : ""}`;
  return quote(code, "error", message, hint === undefined ? {} : { hint });
}
