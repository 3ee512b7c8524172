import { escapedJson, tameJson } from "./visible.js";

/**
 * JSON text with the same values, in which neither a terminal nor a pipeline's log finds anything to obey. Every command
 * that prints JSON prints it through this function.
 */
export function safeJson(text: string): string {
  return tameJson(escapedJson(text));
}

/** A value as the JSON that a command prints. */
export function jsonText(value: unknown): string {
  return safeJson(`${JSON.stringify(value, null, 2)}\n`);
}
