import { createHash } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The id of what those names name: the same for the same names, and of the form that every id has. */
export function idOf(...names: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(names)).digest();
  let id = "";
  for (const byte of hash.subarray(0, 27)) id += DIGITS[byte % 62];
  return id;
}

/** Words as an alias has them: lower-case letters and digits, joined by dashes, at most 63 characters. */
export function aliasOf(...words: readonly string[]): string {
  return words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/[^a-z0-9._]+/g, "-")
        .replace(/^-+|-+$/g, ""),
    )
    .join("-")
    .slice(0, 63)
    .replace(/-+$/, "");
}
