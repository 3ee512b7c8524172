import outcomeSchema from "../../../schemas/outcome.json" with { type: "json" };
import type { Checked } from "../../model/diagnostic.js";
import { compile } from "../../schema/compile.js";
import { say } from "../../words/say.js";
import { readReport } from "../readReport.js";
import type { OutcomeReport } from "./report.js";

const check = compile(outcomeSchema);

/** Reads an outcome that `remit apply --report json=FILE` wrote; null, with the reason, for anything else. */
export function readOutcome(text: string): Checked<OutcomeReport | null> {
  return readReport<OutcomeReport>(text, check, (why) => say("outcome/malformed", { why }));
}
