import type { Severity } from "../../model/diagnostic.js";
import groups from "./codes.json" with { type: "json" };

/** What a code means in every manifest and plan: its usual severity, what is wrong, and what to do. */
export interface Code {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly help: string;
}

/** Every code that remit can print, in the order of docs/diagnostics.md, which is made from the same table. */
export const CODES: readonly Code[] = groups.flatMap(({ codes }) => codes as readonly Code[]);

const BY_NAME = new Map(CODES.map((row) => [row.code, row]));

/** The row of a code. A code without a row is a bug, and a reader still gets the code itself as its title. */
export function codeNamed(code: string): Code {
  const title = code.replace("/", ": ").replaceAll("-", " ");
  return BY_NAME.get(code) ?? { code, severity: "error", title, help: `A diagnostic of remit: ${title}.` };
}
