import type { ApiError } from "../api/error.js";
import type { Kind } from "../kinds/kind.js";
import type { Address } from "../model/address.js";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import type { Key } from "../model/key.js";
import { afterUncertain, notListedYet } from "../plan/decide/uncertain.js";
import { say } from "../words/say.js";

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
    return say(
      "apply/failed",
      { message: error.message, id, more, next: adviceOn(error) },
      { span: about.span },
    );
  },
  moved: (about: About): Diagnostic => say("plan/stale#object", {}, { span: about.span }),
  recordMoved: (about: About): Diagnostic => say("plan/stale#record", {}, { span: about.span }),
  otherValues: (about: About): Diagnostic => say("plan/other-changes#apply", {}, { span: about.span }),
  otherCalls: (about: About): Diagnostic => say("plan/other-calls#apply", {}, { span: about.span }),
  alreadySo: (about: About): Diagnostic => say("apply/already-so#values", {}, { span: about.span }),
  alreadyThere: (about: About): Diagnostic => say("apply/already-so#there", {}, { span: about.span }),
  alreadyGone: (about: About): Diagnostic => say("apply/already-so#gone", {}, { span: about.span }),
  settled: (about: About): Diagnostic => say("apply/settled", {}, { span: about.span }),
  different: (about: About, fields: string): Diagnostic =>
    say("apply/different", { fields }, { span: about.span }),
  uncertain: (about: Created, why: string): Diagnostic =>
    say("apply/uncertain#created", { why, next: afterUncertain(about) }, { span: about.span }),
  notListed: (about: Created, error: ApiError): Diagnostic =>
    diagnose.uncertain(about, notListedYet(error.message)),
  stillUncertain: (about: Created): Diagnostic =>
    say("apply/uncertain#still", { next: afterUncertain(about) }, { span: about.span }),
  strangeReply: (about: About, problem: string): Diagnostic =>
    say("apply/strange-reply", { problem }, { span: about.span }),
  notKept: (about: About, field: string): Diagnostic =>
    say("apply/not-kept", { field }, { span: about.span }),
  replaced: (
    about: About,
    { noun }: Pick<Kind, "noun">,
    madeAt: string,
    isAcknowledged: boolean,
  ): Diagnostic =>
    say(
      "apply/replaced",
      { noun: noun.one, madeAt },
      { span: about.span, severity: isAcknowledged ? "warning" : "error" },
    ),
  doubled: (about: About, { noun }: Kind, key: Key, twins: readonly Key[]): Diagnostic => {
    const id = key.at(-1) ?? "";
    const others = twins.map((twin) => twin.at(-1) ?? "").join(", ");
    return say("apply/same-name", { noun: noun.one, id, others }, { span: about.span });
  },
  notLooked: (about: About, { noun }: Kind, why: string): Diagnostic =>
    say("apply/not-looked", { noun: noun.one, why }, { span: about.span }),
  unfinished: (about: About): Diagnostic => say("apply/unfinished", {}, { span: about.span }),
  skipped: (about: About, need: Address, outcome: string): Diagnostic =>
    say("apply/skipped", { need, outcome }, { span: about.span }),
  pending: (about: About, object: Address): Diagnostic =>
    say("apply/pending", { object }, { span: about.span }),
  left: (about: About, why: string): Diagnostic => say("apply/left", { why }, { span: about.span }),
};

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
