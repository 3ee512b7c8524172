import type { Diagnostic } from "../model/diagnostic.js";
import type { Step } from "../plan/step.js";
import type { ApiError } from "../tenant/client/error.js";
import { say } from "../words/say.js";

/** What a step says of a call that failed, and what to do next. */
export function failedBy(error: ApiError, { managed: { span } }: Pick<Step, "managed">): Diagnostic {
  const id = error.requestId === null ? "" : ` (request ${error.requestId})`;
  return say("apply/failed", { message: error.message, id, next: adviceOn(error) }, { span });
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
