import { Buffer } from "node:buffer";
import type { Answer } from "../../model/exchange.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.js";
import { formatPath, type Path, valueAt } from "../../model/path.js";
import { type Dialect, TENANT } from "./dialect.js";
import { ApiError, type FaultKind, NO_REPLY, type SendProgress } from "./error.js";
import type { Mask } from "./mask.js";
import { type CallEnding, endingOf, inSeconds } from "./retry.js";

/** An answer that is the reply asked for. */
export interface Good {
  readonly as: "good";
  readonly status: number;
  readonly body: Json;
  /** Worked out where it is asked for: few are, and it takes long to look for a secret in the first text. */
  readonly requestId: (() => string) | null;
}

/** An answer as it came, with nothing covered. */
type Recognised = Bad | (Omit<Good, "requestId"> & Pick<Bad, "requestId">);

/** An answer that is not, and everything that may be said of it. */
export interface Bad {
  readonly as: "bad";
  readonly ending: CallEnding;
  /** One clause for the error's message. */
  readonly problem: string;
  readonly progress: SendProgress;
  readonly status: number | null;
  readonly code: number | null;
  readonly words: string | null;
  readonly requestId: string | null;
  readonly own: boolean;
  readonly fault: FaultKind;
  /** The reply's `Retry-After`; a date as the seconds from the reply's own `Date`. */
  readonly retryAfter: string | undefined;
  /** The JSON of a good status that is not the expected reply. */
  readonly body?: Json;
}

/**
 * Judges an answer: a good status over JSON that has the expected member, or what it is instead. Whatever may be said
 * of the answer is said without what the mask covers; the body of a good one is left as it is.
 */
export function judge(
  answer: Answer,
  expects: Path | undefined,
  mask: Mask,
  url: string,
  dialect: Dialect = TENANT,
): Good | Bad {
  const result = recognise(answer, expects, url, dialect);
  const { requestId } = result;
  if (result.as === "good")
    return { ...result, requestId: requestId === null ? null : () => mask.cover(requestId) };
  const cover = (text: string | null) => (text === null ? null : mask.cover(text));
  const { problem, words } = result;
  return { ...result, problem: mask.cover(problem), words: cover(words), requestId: cover(requestId) };
}

function recognise(answer: Answer, expects: Path | undefined, url: string, dialect: Dialect): Recognised {
  if (answer.as === "lost") return lost(answer, new URL(url).host);
  if (answer.as === "too large") return tooLarge(answer.most);
  const { status } = answer;
  const isGood = status >= 200 && status < 300;
  const isJson = /\bjson\b/i.test(headerOf(answer, "content-type") ?? "");
  const body = isJson ? parse(answer.body) : undefined;
  if (isGood && body !== undefined && (expects === undefined || valueAt(body, expects) !== undefined)) {
    return { as: "good", status, body, requestId: headerOf(answer, "c1-trace-id") ?? null };
  }
  if (isGood && answer.body.length === 0 && expects === undefined && dialect.mayBeEmpty)
    return { as: "good", status, body: null, requestId: null };
  const facts = factsOf(answer, body);
  if (status >= 300 && status < 400) {
    return {
      ...facts,
      fault: "redirect",
      ending: "final",
      problem: redirected(status, headerOf(answer, "location")),
    };
  }
  if (!isGood) return { ...facts, ending: endingIn(dialect, facts), problem: refusal(status, facts.words) };
  if (!isJson) {
    const type = headerOf(answer, "content-type") ?? "no content type";
    const problem = `answered ${status} with ${type} where JSON was expected: is the server's address right?`;
    return { ...facts, fault: "web page", ending: "strange", problem };
  }
  if (body === undefined) {
    const problem = `answered ${status} with JSON that breaks off or is malformed (${answer.body.length} bytes)`;
    return { ...facts, fault: "malformed", ending: isCutOff(answer.body) ? "no reply" : "strange", problem };
  }
  const problem = `answered ${status} with JSON that has no ${formatPath(expects ?? [])}`;
  return { ...facts, fault: "other envelope", ending: "strange", problem, body };
}

/** Whether a body that cannot be read as JSON began as the service's replies do: no whole reply came back. */
function isCutOff(body: Uint8Array): boolean {
  return body[0] === OPENING_BRACE;
}

const OPENING_BRACE = 0x7b;

function endingIn(
  { ending }: Dialect,
  { status, code, retryAfter }: Pick<Bad, "code" | "retryAfter"> & Status,
) {
  return ending(status, retryAfter !== undefined) ?? endingOf(status, code);
}

interface Status {
  readonly status: number;
}

type Replied = Extract<Answer, { readonly as: "reply" }>;

function headerOf({ headers }: Replied, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

/** What a reply that is not good says of itself. */
function factsOf(answer: Replied, body: Json | undefined) {
  const own = isObject(body) && typeof body.code === "number" && typeof body.message === "string";
  const { words, requestId } = spoken(body);
  return {
    as: "bad",
    progress: "replied",
    status: answer.status,
    code: own && isObject(body) ? codeIn(body) : null,
    words,
    requestId: headerOf(answer, "c1-trace-id") ?? requestId,
    own,
    fault: faultOf(answer, own),
    retryAfter: inSeconds(headerOf(answer, "retry-after") ?? resetOf(answer), headerOf(answer, "date")),
  } as const;
}

function faultOf(answer: Replied, own: boolean): FaultKind {
  const { status } = answer;
  if (status === 405 || status === 501 || (status === 404 && !own)) return "unknown route";
  if (own) return "own";
  return /\bhtml\b/i.test(headerOf(answer, "content-type") ?? "") ? "web page" : "foreign";
}

/** When a limit of requests that is used up begins anew, as GitHub says it: by a time in seconds. */
function resetOf(answer: Replied): string | undefined {
  const reset = Number(headerOf(answer, "x-ratelimit-reset"));
  const isUsedUp = headerOf(answer, "x-ratelimit-remaining") === "0";
  return isUsedUp && reset > 0 && reset < 1e11 ? new Date(reset * 1000).toUTCString() : undefined;
}

/** The code, where it is one of gRPC's; any other number tells nothing, and may be a secret. */
function codeIn({ code }: JsonObject): number | null {
  return Number.isInteger(code) && Number(code) >= 0 && Number(code) <= 16 ? Number(code) : null;
}

/** The ending of a call without a token: it was not sent, and the reply was not about this call. */
export function withoutToken(error: unknown): Bad {
  if (!(error instanceof ApiError)) throw error;
  const { status, words } = error;
  const isRefused = status === 400 || status === 401 || status === 403;
  const why = isRefused ? "the service refused the credentials" : "remit got no token";
  const problem = `not sent, ${why}: ${error.message}`;
  const refused = isRefused ? { status, words } : {};
  const facts = { ...NO_REPLY, ...refused, retryAfter: undefined } as const;
  return { ...facts, as: "bad", ending: "final", progress: "never sent", problem };
}

/** What node says where no server listens at an address, and where a name has none. */
const NOT_THERE: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND"]);

function lost({ sent, untrusted, code }: Extract<Answer, { readonly as: "lost" }>, host: string): Bad {
  const facts = { ...NO_REPLY, as: "bad", retryAfter: undefined } as const;
  if (sent) {
    const isTimeout = code === "ETIMEDOUT";
    const problem = `no whole reply came (${code})`;
    return {
      ...facts,
      fault: isTimeout ? "timeout" : "reset",
      ending: "no reply",
      progress: "no reply",
      problem,
    };
  }
  const problem = untrusted
    ? `not sent, the certificate of ${host} is not trusted (${code}); NODE_EXTRA_CA_CERTS names further authorities`
    : `cannot connect to ${host} (${code})`;
  const fault = untrusted ? "untrusted" : NOT_THERE.has(code) ? "not there" : "never sent";
  return { ...facts, fault, ending: untrusted ? "final" : "never sent", progress: "never sent", problem };
}

function tooLarge(most: number): Bad {
  const problem = `answered with more than ${most / 1024 / 1024} MiB; \`reads.reply\` in remit.yaml raises this bound`;
  const facts = { ...NO_REPLY, as: "bad", retryAfter: undefined } as const;
  return { ...facts, fault: "too much", ending: "strange", progress: "replied", problem };
}

function parse(body: Uint8Array): Json | undefined {
  return parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
}

/** The service ends its messages with ` (request-id: ID)`; OAuth failures have words of their own. */
function spoken(body: Json | undefined): {
  readonly words: string | null;
  readonly requestId: string | null;
} {
  const long = isObject(body)
    ? [body.message, body.error_description, body.error].find((value) => typeof value === "string")
    : undefined;
  if (typeof long !== "string") return { words: null, requestId: null };
  const text = shorten(long);
  const suffix = /\s*\(request-id: ([^()]*)\)\s*$/.exec(text);
  return suffix === null
    ? { words: text, requestId: null }
    : { words: text.slice(0, suffix.index), requestId: suffix[1] ?? null };
}

function refusal(status: number, words: string | null): string {
  return words === null ? `answered ${status}` : `answered ${status}: ${words}`;
}

function redirected(status: number, location: string | undefined): string {
  const where = location === undefined ? "nowhere" : location;
  return `answered ${status}, pointing to ${where}; redirects are not followed: an id is empty, or the server's address is not the tenant's own`;
}

/** A text of the service is quoted to this length, and its end, which carries the request's id. */
const LONGEST_QUOTE = 2_000;
const LONGEST_END = 100;

function shorten(text: string): string {
  if (text.length <= LONGEST_QUOTE + LONGEST_END) return text;
  const left = text.length - LONGEST_QUOTE - LONGEST_END;
  return `${text.slice(0, LONGEST_QUOTE)} … (${left} characters are left out) … ${text.slice(-LONGEST_END)}`;
}
