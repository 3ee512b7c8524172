import { Buffer } from "node:buffer";
import { MASK, type Secret } from "../../model/secret.js";

/** Covers secrets in what others say: a service, or a proxy on the way, may repeat what it was sent. */
export interface Mask {
  /** Covers this one, too, from now on; gives it back. */
  hide(secret: Secret): Secret;
  /** A text without any secret, without a part of one that was cut off, and however it is spelled. */
  cover(text: string): string;
}

/** So many characters of a secret are never shown in a row. */
const PIECE = 8;
/** What is shorter stands in every text by chance. */
const SHORTEST = 4;

/** A mask over these secrets. They are spelled out only once there is a text to look through. */
export function makeMask(secrets: Iterable<Secret> = []): Mask {
  const fresh = [...secrets];
  const pieces = new Map<number, Set<string>>();

  function spell(): void {
    for (const secret of fresh.splice(0)) {
      for (const spelling of spellings(secret.reveal())) {
        const size = Math.min(PIECE, spelling.length);
        const known = pieces.get(size) ?? new Set();
        pieces.set(size, known);
        for (let at = 0; at + size <= spelling.length; at += 1) known.add(spelling.slice(at, at + size));
      }
    }
  }

  return {
    hide(secret) {
      fresh.push(secret);
      return secret;
    },
    cover(text) {
      if (fresh.length > 0) spell();
      let marks: Uint8Array | undefined;
      for (const [size, known] of pieces) {
        for (let at = 0; at + size <= text.length; at += 1) {
          if (!known.has(text.slice(at, at + size))) continue;
          marks ??= new Uint8Array(text.length);
          marks.fill(1, at, at + size);
        }
      }
      return marks === undefined ? text : withoutMarked(text, marks);
    },
  };
}

function withoutMarked(text: string, marks: Uint8Array): string {
  return text.replace(/./gs, (letter, at: number) => {
    if (marks[at] === 0) return letter;
    return marks[at - 1] === 1 ? "" : MASK;
  });
}

/** How a text is written within another: in headers, forms, addresses and JSON. */
const WAYS: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => new URLSearchParams({ text }).toString().slice("text=".length),
  (text) => JSON.stringify(text).slice(1, -1),
  // Node reads the bytes of a header as Latin-1.
  (text) => Buffer.from(text).toString("latin1"),
];

/** What was sent in one way is repeated in another: backwards or in hex, and each of these in base64 or not. */
function spellings(secret: string): ReadonlySet<string> {
  // Half a surrogate pair can be no part of an address.
  const text = Buffer.from(secret).toString();
  const hex = Buffer.from(text).toString("hex");
  const sent = inEveryWay([text, backwards(text), hex, hex.toUpperCase()]);
  const all = inEveryWay([...sent, ...sent.flatMap(inBase64)]);
  return new Set(all.filter((spelling) => spelling.length >= SHORTEST));
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}

function inEveryWay(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => WAYS.map((way) => way(text))))];
}

/** A text in base64 wherever it stands in what was encoded: the characters that it decides alone, and those of an end. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (["base64", "base64url"] as const).flatMap((form) => {
      const encoded = bytes.toString(form);
      return [encoded.slice(first, last), encoded.slice(first)];
    });
  });
}
