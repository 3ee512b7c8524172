import { isObject, parseJson } from "../model/json.js";
import type { Owner } from "./store.js";

/** The owner that a lock names; null where it does not say whose it is. */
export function parseOwner(text: unknown): Owner | null {
  const owner = typeof text === "string" ? parseJson(text) : null;
  return isObject(owner) && typeof owner.id === "string" ? (owner as unknown as Owner) : null;
}

/** The run that holds a lock, in words: enough for a person to find its process. */
export function ownerInWords(owner: Owner | null): string {
  if (owner === null) return "another run";
  const { command, pid, host, since } = owner;
  return `${command} (process ${pid} on ${host}, since ${since})`;
}
