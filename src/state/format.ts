import type { JsonObject } from "../model/json.js";
import { say } from "../words/say.js";
import { damaged, tooNew } from "./fault.js";
import { StateError } from "./store.js";

/** The format of all that a store keeps. */
export const FORMAT = 1;

/** What is said of a document that says nothing of remit. */
export const NOT_OURS = "it is not one that remit has written";

/** What keeps a document from being what its format requires. */
export interface Misfit {
  /** Whether it lacks something; otherwise something in it is another thing. */
  readonly isLacking: boolean;
  /** What, as the end of a sentence about the document. */
  readonly what: string;
}

/** Throws a `StateError` unless a document is of the one format that there is. */
export function checkFormat(document: JsonObject, name: string, misfit: Misfit | null): void {
  const { writtenBy } = document;
  const other = otherFormat(document, misfit);
  if (other === "newer") throw tooNew(name, typeof writtenBy === "string" ? writtenBy : null);
  if (other !== null) throw new StateError(say("state/unreleased-format", { name, why: other.unreleased }));
  if (misfit !== null) throw damaged(name, misfit.what);
}

/**
 * Of which format a document is, where it is of another one. A document that has all that the one format requires and names
 * a higher number is of a newer one. One that lacks something was written before the first release.
 */
export function otherFormat(
  { formatVersion }: JsonObject,
  misfit: Misfit | null,
): "newer" | { readonly unreleased: string } | null {
  if (misfit?.isLacking === true) return { unreleased: misfit.what };
  if (isNewer(formatVersion)) return "newer";
  return formatVersion === FORMAT ? null : { unreleased: saysFormat(formatVersion) };
}

/** What a document says of its format, where that is none that a release writes. */
export function saysFormat(formatVersion: unknown): string {
  return typeof formatVersion === "number" ? `its format is ${formatVersion}` : "it names no format";
}

/** Whether a document says that remit wrote it: any other one is not of another format, but another thing. */
export function isOfRemit(document: JsonObject): boolean {
  return "formatVersion" in document || "writtenBy" in document;
}

/** Whether a value is the number of a format that a later version may write. */
export function isNewer(format: unknown): boolean {
  return typeof format === "number" && Number.isInteger(format) && format > FORMAT;
}
