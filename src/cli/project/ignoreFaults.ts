import { type Ignored, ignoredFault } from "../../entry/settings.js";
import type { Diagnostic } from "../../entry/values.js";
import { type ProjectFile, writtenIn } from "./projectFile.js";

/** The entries under `ignore:` that do not hold, each at its line. One that has expired is a warning. */
export function ignoreFaults(
  file: ProjectFile,
  entries: readonly Ignored[],
  term: Parameters<typeof ignoredFault>[1],
  severity: Diagnostic["severity"],
): readonly Diagnostic[] {
  return entries.flatMap((one, place): readonly Diagnostic[] => {
    const why = ignoredFault(one, term);
    if (why === null) return [];
    const where = writtenIn(file, ["ignore", place, "until"]) ?? {};
    const isOver = why.code === "ignore/expired";
    return [{ ...why, severity: isOver && severity === "error" ? "warning" : severity, ...where }];
  });
}
