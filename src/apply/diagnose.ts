import type { ApiError } from "../api/error.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic, Severity, Span } from "../model/diagnostic.js";
import { afterUncertain } from "../plan/uncertain.js";

interface About {
  readonly address: Address;
  readonly span: Span | null;
}

/** What a step says when it does not simply succeed; each with what to do next. */
export const diagnose = {
  failed: (about: About, error: ApiError, more = ""): Diagnostic => {
    const id = error.requestId === null ? "" : ` (request ${error.requestId})`;
    return say(about, "apply/failed", "error", `${error.message}${id}${more}`, adviceOn(error));
  },
  moved: (about: About): Diagnostic =>
    say(
      about,
      "plan/stale",
      "error",
      "it has changed since the plan was made, so it is left as it is",
      "Plan again, and look at what changed.",
    ),
  otherCalls: (about: About): Diagnostic =>
    say(
      about,
      "plan/other-calls",
      "error",
      "the plan holds calls that its step does not lead to",
      "Make the plan again; whoever changed this one knows why.",
    ),
  alreadySo: (about: About): Diagnostic =>
    say(
      about,
      "apply/already-so",
      "note",
      "it is as wanted already, so nothing was sent",
      "Nothing is to be done.",
    ),
  settled: (about: About): Diagnostic =>
    say(
      about,
      "apply/settled",
      "note",
      "no good reply came to its create; it was read back, and is as wanted",
      "Nothing is to be done.",
    ),
  different: (about: About, fields: string): Diagnostic =>
    say(
      about,
      "apply/different",
      "error",
      `no good reply came to its create; it is there now, with other values in ${fields}`,
      "Plan again: the plan shows what differs.",
    ),
  uncertain: (about: About, why: string): Diagnostic =>
    say(about, "apply/uncertain", "error", why, `${UNCERTAIN} ${afterUncertain(about.address)}`),
  stillUncertain: (about: About): Diagnostic =>
    say(
      about,
      "apply/uncertain",
      "error",
      "nobody could learn whether an earlier create of it worked, so it is not sent again",
      afterUncertain(about.address),
    ),
  rewritten: (about: About, field: string): Diagnostic =>
    say(
      about,
      "apply/rewritten",
      "warning",
      `the service keeps \`${field}\` otherwise than it was sent`,
      "Later plans count it, and take it for in sync. Write it as the service keeps it to be rid of this.",
    ),
  unfinished: (about: About): Diagnostic =>
    say(
      about,
      "apply/unfinished",
      "warning",
      "it was made, and what was to follow was not done",
      "It is remembered as it is. Plan and apply again: the rest is an update.",
    ),
  skipped: (about: About, need: Address, outcome: string): Diagnostic =>
    say(
      about,
      "apply/skipped",
      "error",
      `it needs ${formatAddress(need)}, which is ${outcome}`,
      "Mend that, and apply again.",
    ),
  left: (about: About, why: string): Diagnostic =>
    say(about, "apply/left", "warning", `it was not begun: ${why}`, "Apply again."),
};

const UNCERTAIN = "Nobody could learn whether its create worked; it is not sent again by itself.";

function say({ span }: About, code: string, severity: Severity, message: string, hint: string): Diagnostic {
  return { code, severity, message, hint, ...(span === null ? {} : { span }) };
}

function adviceOn({ status, progress, call }: ApiError): string {
  if (status === 401 || status === 403) {
    return "Check the credentials and their role in the tenant; `remit config` shows which are used.";
  }
  if (status === 404) return "What its address names is not there: check its ids.";
  if (status === 409 && call.effect === "once") {
    return "To a create this says, as a rule, that it is there already. Where the service can be read, a plan with `--interface full` adopts it. Where it cannot, delete it in the service and apply again, or remove its manifest and leave it as it is.";
  }
  if (status !== null && status < 500 && status !== 429)
    return "Change the manifest as the service asks, and apply again.";
  if (progress === "never sent")
    return "Nothing was changed. Check that the server can be reached, and apply again.";
  if (call.effect === "once") return "Look at the service's words; then apply again.";
  return "Apply again: the write may be repeated without harm.";
}
