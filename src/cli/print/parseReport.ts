import { FORM_NAMES, type Form, isForm } from "../../report/forms/table.js";

/** A format and the file it is written to. */
interface FileReport {
  readonly format: Form;
  readonly file: string;
}

/** Reads `FORMAT=FILE`; throws if the text does not have that form. */
export function parseReport(text: string): FileReport {
  const equals = text.indexOf("=");
  const [format, file] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals > 0 && file !== "" && isForm(format)) return { format, file };
  throw new Error(
    `write a format and a file, as in markdown=plan.md; the formats are ${FORM_NAMES.join(", ")}`,
  );
}
