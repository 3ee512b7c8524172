import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { tameJson } from "../text/tame.js";
import { visibleJson } from "../text/visible.js";
import { count } from "./counts.js";

/** The version of the JSON that diagnostics are printed as; `schemas/diagnostics.json` describes it. */
export const DIAGNOSTICS_FORMAT = 1;

/** Diagnostics for a program: `schemas/diagnostics.json`, with every member always present. */
export function toJson(diagnostics: readonly Diagnostic[]): string {
  const text = visibleJson({
    formatVersion: DIAGNOSTICS_FORMAT,
    counts: count(diagnostics),
    diagnostics: [...diagnostics].sort(byPlace).map((diagnostic) => ({
      code: diagnostic.code,
      severity: diagnostic.severity,
      message: diagnostic.message,
      hint: diagnostic.hint ?? null,
      span: diagnostic.span ?? null,
      excerpt: diagnostic.excerpt ?? null,
      related: diagnostic.related ?? [],
    })),
  });
  return `${tameJson(text)}\n`;
}
