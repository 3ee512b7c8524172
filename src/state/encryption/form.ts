import type { Buffer } from "node:buffer";
import { say } from "../../words/say.js";
import { tooNew } from "../fault.js";
import { FORMAT, isNewer } from "../format.js";
import { StateError } from "../store.js";
import type { StateKey } from "./key.js";

/** What a sealed text begins with: what it is, and the number of its form. */
export function markOf(what: "state" | "line" | "record" | "rescue"): string {
  return `remit-${what} ${FORMAT} `;
}

/** Whether a text is sealed, in whatever form: no other text of remit begins so. */
export function isSealedText(text: string): boolean {
  return /^remit[-\d]/.test(text);
}

/** The refusal of a text that is sealed in another form than today's; null for any other text. */
export function otherForm(text: string, name: string): StateError | null {
  const [, form] = /^remit(?:\d\S*|-[a-z]+ (\S+)) /.exec(text) ?? [text, String(FORMAT)];
  if (form === String(FORMAT)) return null;
  return isNewer(Number(form))
    ? tooNew(name, null)
    : new StateError(say("state/unreleased-format", { name, why: "it is encrypted in another form" }));
}

/** Opens a sealed text; null where it was not sealed for that. Throws a `StateError` where its key is not among the given ones. */
export function openText(
  { id, sealed, context }: Readonly<Record<"id" | "sealed" | "context", string>>,
  keys: readonly StateKey[],
  name: string,
): Buffer | null {
  const key = keys.find((one) => one.id === id);
  if (key !== undefined) return key.open(sealed, context);
  const given = keys.map((one) => one.id).join(", ");
  throw new StateError(say("state/encrypted#otherKey", { name, id, given }));
}

/** What is kept was not written with the key for this place. */
export function unverified(name: string, what: string): StateError {
  return new StateError(say("state/unverified#changed", { name, what }));
}
