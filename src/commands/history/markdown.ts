import type { FoundRecord } from "../../apply/history.js";
import { code, fence, inline } from "../../report/text/escape.js";
import { countsOf, effectOf, keptOf, kindOf, NOTHING, outcomeOf, valuesOf, whenOf, whoOf } from "./words.js";

/** A history as Markdown: a table of the runs, or one run with a table of its steps. */
export function markdownOf(found: readonly FoundRecord[], about: string | null): string {
  const [first] = found;
  if (first === undefined) return "No run was found.\n";
  if (first[0].run === about) return found.map(oneRun).join("\n");
  const rows = found.map(([record]) => [
    whenOf(record),
    code(record.run),
    about === null ? countsOf(record) : record.steps.map(outcomeOf).join(", "),
    inline(whoOf(record)),
    record.commit === null ? "" : code(record.commit.slice(0, 12)),
  ]);
  return table(["When", "Run", "What", "Who", "Commit"], rows);
}

function oneRun([record, hash]: FoundRecord): string {
  const head = table(
    ["Run", code(record.run)],
    [
      ["What", inline(kindOf(record))],
      ["When", record.at],
      ["Who", inline(whoOf(record))],
      ["Server", inline(record.server)],
      ["Project", inline(record.project ?? "none")],
      ["Commit", record.commit === null ? "none" : code(record.commit)],
      ["Pull request", record.pullRequest === null ? "not known" : inline(`#${record.pullRequest}`)],
      ["Effect", inline(effectOf(record))],
      ["Record", `${record.number}, ${code(`sha256:${hash}`)}`],
      ["Values", keptOf(record)],
    ],
  );
  const steps = [
    ...record.steps.map((step) => [
      outcomeOf(step),
      code(step.address),
      step.fields.map(({ name }) => code(name)).join(", "),
    ]),
    ...record.unwritten.map((step) => [outcomeOf(step), code(step.address), NOTHING]),
  ];
  const values = record.steps.flatMap((step) => {
    const lines = valuesOf(step);
    return lines.length === 0 ? [] : [`\n${code(step.address)}:\n\n${fence(lines, "diff")}\n`];
  });
  return `${head}\n${table(["Outcome", "Object", "Fields"], steps)}${values.join("")}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("");
}
