// Checksums of files: what is written beside the artefacts, and what is fetched.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { refusal } from "./refusal.mjs";

/**
 * @param {string} file
 * @returns {string} in hex
 */
export function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/**
 * Refuses a file whose bytes are not those that were pinned.
 * @param {{ name: string, file: string, expected: string, where: string }} what and the file that pins it
 */
export function checkFetched({ name, file, expected, where }) {
  const found = sha256(file);
  if (found !== expected)
    throw refusal(
      `The checksum of ${name} differs: ${where} has ${expected}, and what was fetched has ${found}. Do not release it before you know why.`,
    );
}

/**
 * Refuses a second build that has other bytes than the first.
 * @param {ReadonlyMap<string, string>} first checksums by name
 * @param {ReadonlyMap<string, string>} second
 */
export function checkSame(first, second) {
  const names = [...new Set([...first.keys(), ...second.keys()])].sort();
  const different = names.filter((name) => first.get(name) !== second.get(name));
  if (different.length > 0)
    throw refusal(
      `Two builds of the same commit differ in ${different.join(", ")}. Both are kept beside each other to compare.`,
    );
}
