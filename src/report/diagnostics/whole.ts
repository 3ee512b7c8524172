import type { Diagnostic } from "../../model/diagnostic.js";

/** A diagnostic for a program: every member is always present, and null if it has no value. */
export function whole({ code, severity, message, hint, span, excerpt, related }: Diagnostic) {
  return {
    code,
    severity,
    message,
    hint: hint ?? null,
    span: span ?? null,
    excerpt: excerpt ?? null,
    related: related ?? [],
  };
}
