import { type FormOf, formsOf, isFormOf } from "../../entry/formats.js";

/** The formats of a plan, of an outcome and of a failure, which every command with a result prints. */
export type Format = FormOf<"plan"> & FormOf<"outcome"> & FormOf<"failure">;

/** A format and the file it is written to. */
export interface FileReport {
  readonly format: Format;
  readonly file: string;
}

/** Reads `FORMAT=FILE`; throws if the text does not have that form. */
export function parseReport(text: string): FileReport {
  const equals = text.indexOf("=");
  const [format, file] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals > 0 && file !== "" && isFormat(format)) return { format, file };
  const names = formsOf("plan").join(", ");
  throw new Error(`write a format and a file, as in markdown=plan.md; the formats are ${names}`);
}

function isFormat(name: string): name is Format {
  return isFormOf("plan", name) && isFormOf("outcome", name) && isFormOf("failure", name);
}
