import type { FoundRecord } from "../../apply/history.js";
import { columns, rowsOf } from "../../cli/print/columns.js";
import { tame } from "../../report/text/visible.js";
import { countsOf, effectOf, keptOf, kindOf, NOTHING, outcomeOf, valuesOf, whenOf, whoOf } from "./words.js";

/** A history as a person reads it: a line for each run, or one run with its steps. */
export function textOf(found: readonly FoundRecord[], about: string | null, width: number): string {
  const [first] = found;
  if (first === undefined) return "";
  if (first[0].run === about) return found.map((one) => oneRun(one, width)).join("\n");
  const rows = found.map(([record]) => {
    const what = about === null ? countsOf(record) : record.steps.map(outcomeAndFields).join(", ");
    return [whenOf(record), record.run, what, whoOf(record)];
  });
  return columns([["WHEN", "RUN", "WHAT", "WHO"], ...rows], width);
}

function outcomeAndFields(step: FoundRecord[0]["steps"][number]): string {
  return `${outcomeOf(step)}: ${step.fields.map(({ name }) => name).join(", ")}`;
}

function oneRun([record, hash]: FoundRecord, width: number): string {
  const head = columns(
    [
      ["Run", record.run],
      ["What", kindOf(record)],
      [
        "When",
        `${record.at} (by the clock of ${record.clock === "service" ? "the service" : "this machine"})`,
      ],
      ["Who", whoOf(record)],
      ["Server", record.server],
      ["Project", record.project ?? "none"],
      ["Commit", record.commit ?? "none"],
      ["Pull request", record.pullRequest === null ? "not known" : `#${record.pullRequest}`],
      ["Effect", effectOf(record)],
      ["Record", `${record.number}, sha256:${hash}`],
      ["Values", keptOf(record)],
    ],
    width,
  );
  const rows = [
    ...record.steps.map((step) => ({ step, about: fieldsOf(step), values: valuesOf(step) })),
    ...record.unwritten.map((step) => ({ step, about: NOTHING, values: [] })),
  ];
  const lines = rowsOf(
    rows.map(({ step, about }) => [`  ${outcomeOf(step)}`, step.address, tame(about)]),
    width,
  );
  const steps = rows.flatMap(({ values }, at) => [
    ...(lines[at] ?? []),
    ...values.map((line) => `      ${line}`),
  ]);
  return `${head}\n${steps.map((line) => `${line}\n`).join("")}`;
}

function fieldsOf({ fields }: FoundRecord[0]["steps"][number]): string {
  return fields.map(({ name }) => name).join(", ");
}
