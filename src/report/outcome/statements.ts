import { foundStatements } from "../plan/statements.js";
import { type Statement, stated, statement } from "../statement.js";
import type { OutcomeReport } from "./report.js";
import { costOf } from "./verdict.js";

/** An outcome before its statements are made. */
export type UnstatedOutcome = Omit<OutcomeReport, "statements">;

/** An outcome with everything that it says besides its steps: one list, in the order of reading. */
export function withStatements(report: UnstatedOutcome): OutcomeReport {
  const { fault, diagnostics, takesEffect, next, calls } = report;
  const said = (code: string, text: string, phrases: readonly string[], severity: Statement["severity"]) =>
    phrases.length === 0
      ? []
      : [
          statement(code, "end", text, {
            severity,
            lists: "lines",
            objects: phrases.map((phrase) => stated(phrase)),
          }),
        ];
  const statements = [
    ...foundStatements(fault === null ? [] : [fault]).map((one) => ({ ...one, rank: "top" as const })),
    ...foundStatements(diagnostics).filter(({ rank }) => rank === "end"),
    statement("apply/cost", "end", `API calls: ${costOf(report)}`, { count: calls }),
    ...said("apply/in-effect", "In effect", takesEffect, "note"),
    ...said("apply/next", "Next", next, "warning"),
    ...foundStatements(diagnostics).filter(({ rank }) => rank === "detail"),
  ];
  return { ...report, statements };
}
