import config from "../../../schemas/config.json" with { type: "json" };
import diagnostics from "../../../schemas/diagnostics.json" with { type: "json" };
import events from "../../../schemas/events.json" with { type: "json" };
import failure from "../../../schemas/failure.json" with { type: "json" };
import faults from "../../../schemas/faults.json" with { type: "json" };
import guard from "../../../schemas/guard.json" with { type: "json" };
import history from "../../../schemas/history.json" with { type: "json" };
import manifest from "../../../schemas/manifest.json" with { type: "json" };
import outcome from "../../../schemas/outcome.json" with { type: "json" };
import plan from "../../../schemas/plan.json" with { type: "json" };
import report from "../../../schemas/report.json" with { type: "json" };
import seed from "../../../schemas/seed.json" with { type: "json" };
import state from "../../../schemas/state.json" with { type: "json" };
import summary from "../../../schemas/summary.json" with { type: "json" };
import test from "../../../schemas/test.json" with { type: "json" };
import { kinds } from "../../kinds/index.js";
import { fileNameOf } from "../../kinds/spelling.js";
import type { JsonObject } from "../../model/json.js";
import { withMarkers } from "../../schema/markers.js";

/** A JSON Schema of remit: the name of its file, by which the schemas refer to each other, and its content. */
export interface BroughtSchema {
  readonly file: string;
  readonly schema: JsonObject;
  /** Whether people write what it describes in an editor that can use the schema. */
  readonly isForEditors: boolean;
}

/** Every schema by its name on the command line: a kind, or what it describes. */
export const SCHEMAS: ReadonlyMap<string, BroughtSchema> = new Map(
  Object.entries({
    ...ofKinds(),
    manifest: forEditors("manifest.json", manifest),
    config: forEditors("config.json", config),
    guard: forEditors("guard.json", guard),
    test: forEditors("test.json", test),
    seed: forEditors("seed.json", seed),
    faults: forEditors("faults.json", faults),
    plan: { file: "plan.json", schema: plan, isForEditors: false },
    state: { file: "state.json", schema: state, isForEditors: false },
    report: { file: "report.json", schema: report, isForEditors: false },
    outcome: { file: "outcome.json", schema: outcome, isForEditors: false },
    failure: { file: "failure.json", schema: failure, isForEditors: false },
    summary: { file: "summary.json", schema: summary, isForEditors: false },
    history: { file: "history.json", schema: history, isForEditors: false },
    events: { file: "events.json", schema: events, isForEditors: false },
    diagnostics: { file: "diagnostics.json", schema: diagnostics, isForEditors: false },
  }),
);

/** The kinds' schemas in the order of their names; `TemplateScope` is in the file `template-scope.json`. */
function ofKinds(): Readonly<Record<string, BroughtSchema>> {
  const named = kinds.map(({ name, schema }) => {
    const file = `${fileNameOf(name)}.json`;
    return [name, forEditors(file, withMarkers(schema))] as const;
  });
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function forEditors(file: string, schema: BroughtSchema["schema"]): BroughtSchema {
  return { file, schema, isForEditors: true };
}

/** A schema as the text of its file. */
export function schemaText({ schema }: BroughtSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
