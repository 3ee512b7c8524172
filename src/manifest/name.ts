import { parseDocument } from "yaml";

/** The name of a member from its characters in the file: as they are, or without their quotes and escapes. */
export function readName(raw: string): string {
  const first = raw.charAt(0);
  return first === '"' || first === "'" ? String(parseDocument(raw, { schema: "failsafe" }).toJS()) : raw;
}
