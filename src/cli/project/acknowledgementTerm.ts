import { type Acknowledgement, endOf } from "../../entry/settings.js";
import type { Diagnostic } from "../../entry/values.js";
import { type ProjectFile, writtenIn } from "./projectFile.js";

/** The acknowledgements of a project file whose last day is not a day, or is too far away; each at its line. */
export function termFaults(
  file: ProjectFile,
  acknowledgements: readonly Acknowledgement[],
  term: Parameters<typeof endOf>[1],
  severity: Diagnostic["severity"],
): readonly Diagnostic[] {
  return acknowledgements.flatMap((one, place): readonly Diagnostic[] => {
    const why = one.by === "project" ? endOf(one.until, term) : null;
    // One that has expired is reported where a plan still needs it.
    if (why === null || why.code === "guard/expired") return [];
    const where = writtenIn(file, ["acknowledge", place, "until"]) ?? {};
    const message = `the acknowledgement of ${one.guard} ${why.message}`;
    return [{ code: why.code, severity, message, hint: why.hint, ...where }];
  });
}
