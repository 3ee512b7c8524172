import type { ApiError } from "../api/error.js";
import type { Kind } from "../kinds/kind.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic, Severity, Span } from "../model/diagnostic.js";
import type { Key } from "../model/key.js";
import { afterUncertain, notListedYet } from "../plan/decide/uncertain.js";

interface About {
  readonly address: Address;
  readonly span: Span | null;
}

interface Created extends About {
  readonly key: Key | null;
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
      "the object has changed since the plan was made, so remit did not write it",
      "Plan again, and look at what changed.",
    ),
  recordMoved: (about: About): Diagnostic =>
    say(
      about,
      "plan/stale",
      "error",
      "the state's record of it has changed since the plan was made, so it stays as it is",
      "Make the plan again.",
    ),
  otherValues: (about: About): Diagnostic =>
    say(
      about,
      "plan/other-changes",
      "error",
      "the plan shows values that the object does not have, so it stays as it is",
      "Make the plan again.",
    ),
  otherCalls: (about: About): Diagnostic =>
    say(
      about,
      "plan/other-calls",
      "error",
      "the plan contains calls that do not follow from its step",
      "The plan was edited after remit wrote it. Make the plan again.",
    ),
  alreadySo: (about: About): Diagnostic =>
    say(
      about,
      "apply/already-so",
      "note",
      "the object is already as desired, so nothing was sent",
      "No action is needed.",
    ),
  alreadyThere: (about: About): Diagnostic =>
    say(
      about,
      "apply/already-so",
      "note",
      "the service refused its create because the object exists; it is as desired, so remit records it",
      "No action is needed.",
    ),
  alreadyGone: (about: About): Diagnostic =>
    say(
      about,
      "apply/already-so",
      "note",
      "the service no longer had the object, so nothing was deleted",
      "No action is needed.",
    ),
  settled: (about: About): Diagnostic =>
    say(
      about,
      "apply/settled",
      "note",
      "its create got no good reply; remit read the object back, and it is as desired",
      "No action is needed.",
    ),
  different: (about: About, fields: string): Diagnostic =>
    say(
      about,
      "apply/different",
      "error",
      `its create got no good reply; the object exists, with other values in ${fields}`,
      "Plan again: the plan shows what differs.",
    ),
  uncertain: (about: Created, why: string): Diagnostic =>
    say(about, "apply/uncertain", "error", why, `${UNCERTAIN} ${afterUncertain(about)}`),
  notListed: (about: Created, error: ApiError): Diagnostic =>
    diagnose.uncertain(about, notListedYet(error.message)),
  stillUncertain: (about: Created): Diagnostic =>
    say(
      about,
      "apply/uncertain",
      "error",
      "the result of an earlier create is unknown, so remit does not send it again",
      afterUncertain(about),
    ),
  strangeReply: (about: About, problem: string): Diagnostic =>
    say(
      about,
      "apply/strange-reply",
      "warning",
      `the service accepted the write, and its reply is not the documented one: ${problem}`,
      "remit records what the reply shows, and the rest as it was sent. Look at the object in the service.",
    ),
  notKept: (about: About, field: string): Diagnostic =>
    say(
      about,
      "apply/not-kept",
      "error",
      `the service accepted the write, and keeps \`${field}\` with another value than remit sent`,
      "Plan again: the plan shows what the service keeps. Write that value in the manifest, or change the object in the service.",
    ),
  replaced: (
    about: About,
    { noun }: Pick<Kind, "noun">,
    madeAt: string,
    isAcknowledged: boolean,
  ): Diagnostic =>
    say(
      about,
      "apply/replaced",
      isAcknowledged ? "warning" : "error",
      `the create replaced the ${noun.one} that was made on ${madeAt}; remit had not seen it`,
      "The tenant now contains what the manifest says. Find out who made the earlier one, and write what it needs in the manifest.",
    ),
  doubled: (about: About, { noun }: Kind, key: Key, twins: readonly Key[]): Diagnostic => {
    const id = key.at(-1) ?? "";
    const others = twins.map((twin) => twin.at(-1) ?? "").join(", ");
    return say(
      about,
      "apply/same-name",
      "error",
      `this run created the ${noun.one} ${id}, and the app has another one with the same displayName: ${others}`,
      `Another run may have created it at the same time. Write the \`id\` of the one to keep in the manifest, and delete the other one in the service.`,
    );
  },
  notLooked: (about: About, { noun }: Kind, why: string): Diagnostic =>
    say(
      about,
      "apply/not-looked",
      "warning",
      `remit could not look whether the app has another ${noun.one} with the same displayName: ${why}`,
      "Plan again: the plan looks once more.",
    ),
  unfinished: (about: About): Diagnostic =>
    say(
      about,
      "apply/unfinished",
      "warning",
      "the object was created, and its later calls did not succeed",
      "The state records the object as it is. Plan and apply again: the rest is an update.",
    ),
  skipped: (about: About, need: Address, outcome: string): Diagnostic =>
    say(
      about,
      "apply/skipped",
      "error",
      `it needs ${formatAddress(need)}, which is ${outcome}`,
      "Fix that, and apply again.",
    ),
  pending: (about: About, object: Address): Diagnostic =>
    say(
      about,
      "apply/pending",
      "error",
      `it needs the id of ${formatAddress(object)}, which no step of this apply created`,
      "Plan again.",
    ),
  left: (about: About, why: string): Diagnostic =>
    say(about, "apply/left", "warning", `not started: ${why}`, "Apply again."),
};

const UNCERTAIN = "The result of its create is unknown, so remit does not send it again.";

function say({ span }: About, code: string, severity: Severity, message: string, hint: string): Diagnostic {
  return { code, severity, message, hint, ...(span === null ? {} : { span }) };
}

function adviceOn({ status, progress, call }: ApiError): string {
  if (status === 401 || status === 403) {
    return "Check the credentials and their role in the tenant; `remit config` shows which are used.";
  }
  if (status === 404) return "The object in its URL does not exist: check the ids.";
  if (status === 409 && call.effect === "once") {
    return "Usually this means that the object already exists. If the service can be read, a plan with `--interface full` adopts it. Otherwise remove its manifest, and leave the object as it is.";
  }
  if (status !== null && status < 400) {
    return "Something else answers in the service's place: check the server's address, and proxies. Then plan again.";
  }
  if (status !== null && status < 500 && status !== 429)
    return "Change the manifest as the service asks, and apply again.";
  if (progress === "never sent")
    return "Nothing was changed. Check that the server can be reached, and apply again.";
  if (call.effect === "once") return "Read the service's message, fix the cause, then apply again.";
  return "Apply again: the write may be repeated without harm.";
}
