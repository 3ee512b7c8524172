import outcomeSchema from "../../../schemas/outcome.json" with { type: "json" };
import type { Checked } from "../../model/diagnostic.js";
import { parseJson } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import { compile } from "../../schema/compile.js";
import type { OutcomeReport } from "./report.js";

const check = compile(outcomeSchema);

/** Reads an outcome that `remit apply --report json=FILE` wrote; null, with the reason, for anything else. */
export function readOutcome(text: string): Checked<OutcomeReport | null> {
  const value = parseJson(text);
  const [problem] = value === undefined ? [{ path: [], message: "it is not JSON" }] : check(value);
  if (problem === undefined) return { value: value as unknown as OutcomeReport, diagnostics: [] };
  const diagnostic = {
    code: "outcome/malformed",
    severity: "error",
    message: `this is not an outcome: ${formatPath(problem.path)} ${problem.message}`.replace("  ", " "),
    hint: "Write one with `remit apply --report json=outcome.json`.",
  } as const;
  return { value: null, diagnostics: [diagnostic] };
}
