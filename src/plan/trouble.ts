import type { Seen } from "../current/world.js";
import type { Address } from "../model/address.js";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import { diagnose } from "./diagnose.js";

/** What the service says went wrong with an object that was read: a warning of every plan until it is over. */
export function troubleOf(
  about: { readonly address: Address; readonly span: Span | null },
  seen: Seen,
): readonly Diagnostic[] {
  return seen.as === "present" && seen.trouble !== undefined ? [diagnose.trouble(about, seen.trouble)] : [];
}
