import type { ServerResponse } from "node:http";
import { json, type Seen } from "./server.js";

/** Everything that came with a request, in one line that a header can hold. */
export function everythingOf({ method, url, headers, body }: Seen): string {
  return JSON.stringify({ method, url, headers, body }).replace(/[^\x20-\x7e]/g, "?");
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}

/** The ways in which a service, or what stands before it, writes what it was sent. */
export const WRITTEN = {
  "as it is": (text: string) => text,
  "percent-encoded": encodeURIComponent,
  "percent-encoded twice": (text: string) => encodeURIComponent(encodeURIComponent(text)),
  "as a form": (text: string) => new URLSearchParams({ text }).toString(),
  "in base64": (text: string) => Buffer.from(text).toString("base64"),
  "in base64url": (text: string) => Buffer.from(`?${text}`).toString("base64url"),
  "in base64 within an address": (text: string) =>
    encodeURIComponent(Buffer.from(`??${text}`).toString("base64")),
  "within a text of JSON": (text: string) => JSON.stringify({ text }),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

/** Ways that only one who wants to get past a mask writes in. */
export const HIDDEN_WAYS = {
  "in hex": (text: string) => Buffer.from(text).toString("hex"),
  "in capital hex": (text: string) => Buffer.from(text).toString("hex").toUpperCase(),
  "in hex in base64": (text: string) => Buffer.from(Buffer.from(text).toString("hex")).toString("base64"),
  backwards,
  "backwards in base64": (text: string) => Buffer.from(backwards(text)).toString("base64"),
  "backwards and percent-encoded": (text: string) => encodeURIComponent(backwards(text)),
  "backwards within a text of JSON": (text: string) => JSON.stringify({ text: backwards(text) }),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

/** Everything that came with requests, in every way of writing it. */
export function repeated(seen: readonly Seen[]): string {
  const all = seen.map(everythingOf).join();
  return Object.values(WRITTEN)
    .map((write) => write(all))
    .join(" ");
}

/** The places of an answer from which something is said. */
export const PLACES = {
  "the words": (text, response) => json(response, 400, { code: 3, message: `bad: ${text}, sorry` }),
  "the words of OAuth": (text, response) =>
    json(response, 400, { error: "invalid_request", error_description: `bad: ${text}` }),
  "the words of one that is busy": (text, response) => json(response, 503, { code: 14, message: text }),
  "the request id in the words": (text, response) =>
    json(response, 400, { code: 3, message: `no (request-id: ${text.replace(/[()]/g, "")})` }),
  "the request id": (text, response) =>
    json(response, 400, { code: 3, message: "no" }, { "c1-trace-id": text }),
  "the request id of what is no reply": (text, response) => json(response, 200, [], { "c1-trace-id": text }),
  "a redirect": (text, response) => response.writeHead(302, { location: `/login?next=${text}` }).end(),
  "the content type": (text, response) =>
    response.writeHead(200, { "content-type": `text/html; of=${text.replaceAll("json", "")}` }).end("<html>"),
} as const satisfies Readonly<Record<string, (text: string, response: ServerResponse) => void>>;

/** The secrets of which a reader who decodes every spelling finds so many characters in a row. */
export function readable(text: string, secrets: readonly string[], characters = 8): readonly string[] {
  const readings = [...readingsOf(text)];
  return secrets.filter((secret) => {
    const size = Math.min(characters, secret.length);
    const parts = Array.from({ length: secret.length - size + 1 }, (_, at) => secret.slice(at, at + size));
    const turned = parts.map(backwards);
    return readings.some((reading) => [...parts, ...turned].some((part) => reading.includes(part)));
  });
}

/** A text, and what it says with percent-encoding, base64, hex and escapes undone, up to three deep. */
function readingsOf(text: string): ReadonlySet<string> {
  const found = new Set([text]);
  let last: ReadonlySet<string> = found;
  for (let depth = 1; depth <= 3; depth += 1) {
    last = new Set([...last].flatMap(decodings).filter((reading) => !found.has(reading)));
    for (const reading of last) found.add(reading);
  }
  return found;
}

function decodings(text: string): readonly string[] {
  return [
    text.replace(/\+/g, " ").replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
      return Buffer.from(bytes.replaceAll("%", ""), "hex").toString();
    }),
    text.replace(/\\(["\\])/g, "$1"),
    ...[0, 1].map((skip) =>
      text.replace(/[0-9a-f]{8,}/gi, (run) => Buffer.from(run.slice(skip), "hex").toString()),
    ),
    ...[0, 1, 2, 3].map((skip) =>
      text.replace(/[\w+/-]{4,}/g, (run) => Buffer.from(run.slice(skip), "base64").toString()),
    ),
  ];
}
