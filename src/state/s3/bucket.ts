import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "../../model/clock.js";
import type { Message, Transmit } from "../../model/exchange.js";
import { MARK, RECORDS, SNAPSHOTS } from "../head.js";
import { HEAD, Hidden, type Objects, type Tagged } from "../objects.js";
import type { StateError } from "../store.js";
import { noRoom, refused } from "../web/fault.js";
import { headerOf, untilAnswered, type WebReply } from "../web/untilAnswered.js";
import type { BucketAddress } from "./address.js";
import { type KeyRing, type Keys, textIn } from "./keys.js";

/** The objects of one state: the object of the address itself, and those whose keys begin with it. */
export interface Bucket extends Objects {
  /** The keys of all objects of the bucket, also of other states; needs the right to list. */
  keys(): AsyncIterable<string>;
}

/** How a bucket is reached. */
interface BucketOptions {
  readonly at: BucketAddress;
  readonly region: string;
  /** The URL of a server that is not AWS. */
  readonly endpoint: string | null;
  readonly keys: KeyRing;
  readonly transmit: Transmit;
  readonly clock: Clock;
}

/** Milliseconds that a request may take that moves a whole snapshot. */
const SNAPSHOT_TIMEOUT = 180_000;

/** So many pages of 1,000 names are listed. */
const MOST_PAGES = 200;

/** So many objects are removed by one request, and so many requests remove one each at once. */
const MOST_REMOVED = 1_000;
const WIDTH = 8;

/** Opens a bucket; each request is signed, sent to its server only, and repeated where the server cannot answer. */
export function openBucket(options: BucketOptions): Bucket {
  const { at } = options;
  const base = baseOf(at, options.region, options.endpoint);
  const request = makeRequest(options);

  function ask(
    method: string,
    name: string,
    body?: string,
    condition: Partial<Record<string, string>> = {},
  ): Promise<WebReply> {
    const more = name.startsWith(SNAPSHOTS) ? { timeout: SNAPSHOT_TIMEOUT } : {};
    return request(method, `${base}/${spelled(`${at.key}${name}`)}`, body, condition, more);
  }

  async function get(name: string): Promise<Tagged | null> {
    const reply = await ask("GET", name);
    const code = textIn(reply.text, "Code");
    if (reply.status === 404 && code === "NoSuchKey") return null;
    // AWS answers so where the object is missing and the user may not list the bucket.
    if (reply.status === 403 && code === "AccessDenied") return hidden(name);
    if (reply.status !== 200) throw answered(at, "s3:GetObject", reply);
    return { text: reply.text, tag: tagOf(reply) };
  }
  /** Whether a hidden object is missing: a user who can read the mark can read all of the journal that there is. */
  async function hidden(name: string): Promise<null> {
    if (name === MARK || name.startsWith(RECORDS)) return null;
    if (name === HEAD) throw new Hidden(unreadable(at, "head").diagnostic);
    if (name.startsWith(SNAPSHOTS)) throw unreadable(at, "snapshot");
    if ((await get(MARK)) === null) throw unreadable(at, "journal");
    return null;
  }

  async function swap(name: string, tag: string | null, text: string): Promise<string | null> {
    const condition = tag === null ? { "if-none-match": "*" } : { "if-match": tag };
    const reply = await ask("PUT", name, text, condition);
    if (reply.status === 200) return tagOf(reply);
    const code = textIn(reply.text, "Code");
    const isOther = reply.status === 412 || (reply.status === 404 && code === "NoSuchKey");
    if (!isOther) throw answered(at, "s3:PutObject", reply);
    if (!reply.isRepeated) return null;
    // The write of an earlier attempt has its effect, and only its reply was lost.
    const kept = await get(name);
    return kept?.text === text ? kept.tag : null;
  }

  function tagOf(reply: WebReply): string {
    const tag = headerOf(reply, "etag");
    if (tag === null) throw foreignAnswer(at, reply);
    return tag;
  }

  async function* keysOf(): AsyncIterable<string> {
    let after: string | null = "";
    for (let page = 0; after !== null; page += 1) {
      if (page === MOST_PAGES) throw tooMany(at);
      const query = `list-type=2${after === "" ? "" : `&continuation-token=${encodeURIComponent(after)}`}`;
      const reply = await request("GET", `${base}?${query}`, undefined, {}, {});
      if (reply.status !== 200) throw answered(at, "s3:ListBucket", reply);
      for (const [, key = ""] of reply.text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield plain(key);
      after = textIn(reply.text, "NextContinuationToken");
    }
  }

  async function remove(name: string): Promise<void> {
    const reply = await ask("DELETE", name);
    if (reply.status >= 300 && reply.status !== 404) throw answered(at, "s3:DeleteObject", reply);
  }
  /** One request for many; one for each where the server does not know that request. */
  async function drop(names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += MOST_REMOVED) {
      const some = names.slice(from, from + MOST_REMOVED);
      if (some.length > 1 && (await removeMany(some).catch(() => false))) continue;
      for (let place = 0; place < some.length; place += WIDTH)
        await Promise.all(
          some.slice(place, place + WIDTH).map((name) => remove(name).catch(() => undefined)),
        );
    }
  }
  async function removeMany(names: readonly string[]): Promise<boolean> {
    const keys = names.map((name) => `<Object><Key>${escaped(`${at.key}${name}`)}</Key></Object>`).join("");
    const body = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys}</Delete>`;
    // The one checksum that every such server knows.
    const sum = { "content-md5": createHash("md5").update(body).digest("base64") };
    return (await request("POST", `${base}?delete`, body, sum, {})).status === 200;
  }

  return {
    keys: keysOf,
    get,
    swap,
    async put(name, text) {
      await swap(name, null, text);
    },
    drop,
  };
}

/** Signs each request for the clock of its server, and repeats it where the server cannot answer. */
function makeRequest({ at, region, keys, transmit, clock }: BucketOptions) {
  /** Milliseconds by which the server's clock is ahead of the clock of this machine. */
  let ahead = 0;

  async function signed(
    method: string,
    url: string,
    body: string | undefined,
    condition: Partial<Record<string, string>>,
    used: Keys,
  ): Promise<Message> {
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...condition, "x-amz-content-sha256": hashOf(body ?? "") } as Record<string, string>,
      accessKeyId: used.id,
      secretAccessKey: used.secret.reveal(),
      ...(used.session !== null && { sessionToken: used.session.reveal() }),
      service: "s3",
      region,
      datetime: new Date(clock.now() + ahead).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    });
    const { headers, ...made } = await signer.sign();
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return { method, url: made.url.toString(), headers: { ...Object.fromEntries(headers), ...type }, body };
  }

  return async function request(
    method: string,
    url: string,
    body: string | undefined,
    condition: Partial<Record<string, string>>,
    more: Pick<Message, "timeout">,
  ): Promise<WebReply> {
    let used: Keys | null = null;
    /** Each is tried once: keys that ended, and a clock of this machine that is wrong. */
    const tried = new Set<string>();
    const passes = (reply: WebReply): boolean => {
      const code = textIn(reply.text, "Code") ?? "";
      if (reply.status === 409 && code === "ConditionalRequestConflict") return true;
      if (tried.has(code) || reply.status < 400) return false;
      tried.add(code);
      if (code === "RequestTimeTooSkewed") {
        const told = Date.parse(headerOf(reply, "date") ?? "");
        if (Number.isNaN(told)) return false;
        ahead = told - clock.now();
        return true;
      }
      return code === "ExpiredToken" && used !== null && keys.discard(used);
    };
    return untilAnswered(
      async () => {
        used = await keys.current();
        return { ...(await signed(method, url, body, condition, used)), ...more };
      },
      { name: at.shown, transmit, clock, passes },
    );
  };
}

/** A bucket of AWS has a host of its own, unless a dot in its name would not match the certificate. */
function baseOf({ bucket }: BucketAddress, region: string, endpoint: string | null): string {
  if (endpoint !== null) return `${endpoint}/${bucket}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** A key as it is spelled in a URL and in a signature. */
function spelled(key: string): string {
  const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return key
    .split("/")
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, percent))
    .join("/");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A text as XML. */
function escaped(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

/** A text of XML without its escapes. */
function plain(text: string): string {
  const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => signs[name] ?? "");
}

/** What the server's refusal means; `right` is the permission that the request needs. */
function answered({ shown, bucket }: BucketAddress, right: string, reply: WebReply): StateError {
  const code = textIn(reply.text, "Code") || `status ${reply.status}`;
  const region = headerOf(reply, "x-amz-bucket-region");
  if (reply.status >= 300 && reply.status < 400)
    return refused(
      shown,
      `the server sends requests for it elsewhere (${code}), and remit sends keys nowhere else`,
      region === null
        ? "Check the region and the endpoint."
        : `Its region is ${region}: write \`?region=${region}\`.`,
    );
  if (reply.status === 507) return noRoom(shown, code);
  switch (code) {
    case "NoSuchBucket":
      return refused(shown, `the bucket ${bucket} does not exist (${code})`, "Make it, or name another.");
    case "AccessDenied":
    case "AccessForbidden":
      return refused(
        shown,
        `this user lacks a right (${code})`,
        `The request needs ${right}. docs/stores.md lists the rights for each job.`,
      );
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidToken":
    case "ExpiredToken":
      return refused(
        shown,
        `it does not accept these keys (${code})`,
        "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the region.",
      );
    case "AuthorizationHeaderMalformed":
      return refused(
        shown,
        `the region is another (${code})`,
        "Write `?region=` with the region of the bucket.",
      );
    case "QuotaExceeded":
    case "XMinioAdminBucketQuotaExceeded":
      return noRoom(shown, code);
    default:
      return refused(shown, `it refuses a request (${code})`, "Look for that code in its documentation.");
  }
}

/** This user may not read a part of the state; it may also be missing where the user may not list the bucket. */
function unreadable({ shown }: BucketAddress, part: "head" | "snapshot" | "journal"): StateError {
  const right = "s3:GetObject on every object whose name begins with";
  return part === "head"
    ? refused(
        shown,
        "it does not exist, or this user may not read it (AccessDenied)",
        `Give this user ${right} this key. Where no state exists yet, the first apply makes it; a plan before that needs s3:ListBucket, too.`,
      )
    : refused(
        shown,
        `this user may not read its ${part} (AccessDenied)`,
        `It needs ${right} the key of the state.`,
      );
}

/** The states of a bucket are not looked for any further: which ones it has is not known. */
function tooMany({ shown, bucket }: BucketAddress): StateError {
  return refused(
    shown,
    `the bucket ${bucket} has too many objects to list its states`,
    "Keep states in a bucket of their own.",
  );
}

/** Something answers that is not S3. */
function foreignAnswer({ shown }: BucketAddress, { status }: WebReply): StateError {
  return refused(
    shown,
    `it does not answer as S3 does (status ${status} without an ETag)`,
    "Check the endpoint in the address of the state.",
  );
}
