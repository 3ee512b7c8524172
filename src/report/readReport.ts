import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { parseJson } from "../model/json.js";
import { formatPath } from "../model/path.js";
import type { Check } from "../schema/shape.js";

/** Reads a JSON report as its schema describes it; for anything else null, and the diagnostic that `refusal` makes of the reason. */
export function readReport<Report>(
  text: string,
  check: Check,
  refusal: (why: string) => Diagnostic,
): Checked<Report | null> {
  const value = parseJson(text);
  const [problem] = value === undefined ? [{ path: [], message: "it is not JSON" }] : check(value);
  if (problem === undefined) return { value: value as unknown as Report, diagnostics: [] };
  const why = `${formatPath(problem.path)} ${problem.message}`.trimStart();
  return { value: null, diagnostics: [refusal(why)] };
}
