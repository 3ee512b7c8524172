import type { JsonObject } from "../../model/json.js";
import { Refusal } from "../refusal.js";

const MOST = 16;
const LARGEST = 4096;
const KEY = /^[A-Za-z][A-Za-z0-9._/-]{0,127}$/;
const VALUE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]{0,256}$/;

/** Annotations after a write: those there were and those sent, less the ones sent empty. */
export function merged(before: JsonObject, sent: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(sent)) {
    if (!KEY.test(key)) refuse(`key ${JSON.stringify(key)} is not valid`);
    if (key.startsWith("c1/")) refuse(`key ${JSON.stringify(key)} is reserved`);
    if (!VALUE.test(String(value))) refuse(`value of ${JSON.stringify(key)} is not valid`);
  }
  const entries = Object.entries({ ...before, ...sent }).filter(([, value]) => value !== "");
  if (entries.length > MOST) refuse(`must contain no more than ${MOST} pair(s)`);
  if (entries.flat().join("").length > LARGEST) refuse(`must be no more than ${LARGEST} bytes`);
  return Object.fromEntries(entries);
}

function refuse(message: string): never {
  throw new Refusal("invalidArgument", `invalid annotations: ${message}`);
}
