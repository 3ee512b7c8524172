import { type ApplicationText, text_en } from "@stricli/core";

/** What the command line itself says when something is wrong with a call, or with us. */
export const phrases: ApplicationText = {
  ...text_en,
  exceptionWhileRunningCommand: ourMistake,
  exceptionWhileLoadingCommandFunction: ourMistake,
  exceptionWhileLoadingCommandContext: ourMistake,
  commandErrorResult: ourMistake,
};

// Every mistake of an author's or an operator's is a diagnostic; what comes here is none.
function ourMistake(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `error[internal]: remit made a mistake; the manifests and the tenant are not to blame\n${stack}\n  = Please report it with the lines above. They hold no secret.`;
}
