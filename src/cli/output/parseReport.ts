/** The forms a result is printed in. */
export type Format = "text" | "json" | "markdown";

/** A form and the file it is written to. */
export interface FileReport {
  readonly format: Format;
  readonly file: string;
}

/** Reads `FORMAT=FILE`; throws where it is not of that form. */
export function parseReport(text: string): FileReport {
  const equals = text.indexOf("=");
  const [format, file] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals > 0 && file !== "" && (format === "text" || format === "json" || format === "markdown"))
    return { format, file };
  throw new Error("a form and a file are needed: text, json or markdown, as in markdown=plan.md");
}
