import { formatCallPath } from "../model/call.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { quote } from "../words/quote.js";
import type { ApiError } from "./client/error.js";

/** What came of asking: a value, nothing there, a server without that path, or trouble. */
export type Fetched<T> = { readonly as: "got"; readonly value: T } | Missed;

/** The result of a read without an answer. */
export type Missed =
  | { readonly as: "absent" }
  | { readonly as: "not offered"; readonly why: string }
  | Failed;

/** A failed read: refused, answered by something else, or without a connection. */
export interface Failed {
  readonly as: "failed";
  readonly trouble: Trouble;
  /** What happened, the same each time it does. */
  readonly why: string;
  /** The same for people, with the service's own id of the request. */
  readonly diagnostic: Diagnostic;
}

/**
 * What kind of failure it is. `forbidden`: these credentials may not make calls of this kind. `credentials`: the call was not sent, because the service gave no token for them.
 * `unauthenticated`: it was sent, and the service does not know its token.
 */
type Trouble = "forbidden" | "refused" | "strange" | "unreachable" | "credentials" | "unauthenticated";

/** What a failed read says. A list of which a part had come is offered, and there: all that is left is trouble. */
export function missed(error: ApiError, isBegun: boolean): Missed {
  const { status, own } = error;
  if (!isBegun) {
    // A path that a server does not have is answered by its router, not in the service's own error form.
    if (status === 405 || status === 501 || (status === 404 && !own)) {
      return {
        as: "not offered",
        why: `${error.call.method} ${formatCallPath(error.call)} answered ${status}`,
      };
    }
    if (status === 404) return { as: "absent" };
  }
  const trouble = troubleOf(error);
  const says = SAYS[trouble];
  return {
    as: "failed",
    trouble,
    why: error.message,
    diagnostic: { ...says, severity: "error", message: messageOf(error, trouble) },
  };
}

function messageOf({ message, status, words, requestId }: ApiError, trouble: Trouble): string {
  if (trouble === "unauthenticated")
    return `the service refused the token: it answered 401${words === null ? "" : `: ${words}`}`;
  if (trouble === "credentials") {
    return `wrong client id or secret: the service answered ${status}${words === null ? "" : `: ${words}`}`;
  }
  return requestId === null ? message : `${message} (request ${requestId})`;
}

// A call without a token has the status with which the service refused the credentials. Any other call that was never
// tried is at fault itself; another may go through.
function troubleOf({ status, progress, attempts }: ApiError): Trouble {
  if (progress === "never sent" && status !== null) return "credentials";
  if (progress === "never sent" && attempts > 0) return "unreachable";
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  return status !== null && status < 400 ? "strange" : "refused";
}

const SAYS = {
  unreachable: {
    code: "service/unreachable",
    hint: "Check the server's address, the network and its proxies: `remit config` shows what is used and where it comes from.",
  },
  strange: {
    code: "service/strange-reply",
    hint: "Something else answers in the service's place. Check the server's address, and whether a proxy or a sign-in page stands in the way; a server without any reads is planned with `--interface core`.",
  },
  credentials: {
    code: "service/wrong-credentials",
    hint: "Nothing was read. `remit config` shows which variables the credentials come from.",
  },
  unauthenticated: {
    code: "service/refused-token",
    hint: "The token has expired, was revoked, or belongs to another tenant. Get a new one: `remit config` shows which variable it comes from.",
  },
  forbidden: {
    code: "service/not-allowed",
    hint: "Give the client a role that may make this read, or write `interface: core` in remit.yaml to plan from the state without reading. `remit doctor` shows what each kind needs.",
  },
  refused: {
    code: "service/read-failed",
    hint: "Try again later; with -v every call is shown.",
  },
} as const satisfies Readonly<Record<Trouble, Pick<Diagnostic, "code" | "hint">>>;

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
