import { type FoundRecord, historyOf } from "../../apply/history.js";
import type { RecordedStep, RunRecord } from "../../apply/runRecord.js";
import { codeOf } from "../../cli/exitCode.js";
import { columns, rowsOf } from "../../cli/print/columns.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { withState } from "../../cli/run/run.js";
import { snippetOf } from "../../manifest/format/write.js";
import { code, fence, inline } from "../../report/text/escape.js";
import { jsonText } from "../../report/text/safeJson.js";
import { lineDiff } from "../../report/text/unifiedDiff.js";
import { tame } from "../../report/text/visible.js";
import { say } from "../../words/say.js";
import type { HistoryFlags } from "./usage.js";

/** Prints the runs that changed something, or one of them, from the history of the state. */
export default async function history(this: Context, flags: HistoryFlags, about?: string): Promise<number> {
  return withState(this.world, "history", flags, async ({ world, store }) => {
    const { since = null } = flags;
    if (store.history === null) {
      printDiagnostics(world, [say("state/no-history#keepsNone", { name: store.name })]);
      return codeOf("not found");
    }
    const { snapshot } = await store.read();
    const found = await historyOf(store, snapshot, { about: about ?? null, since });
    const head = snapshot?.history;
    world.stdout.write(printed(flags.format, found, about ?? null, head, world.stdout.columns));
    if (found.length > 0 || flags.format === "json") return codeOf("done");
    const all = head === undefined ? "it has no run yet" : `none of the ${head.number} in the history fits`;
    world.stderr.write(`No run was found: ${all}.\n`);
    return about === undefined || since !== null ? codeOf("done") : codeOf("not found");
  });
}

function printed(
  format: HistoryFlags["format"],
  found: readonly FoundRecord[],
  about: string | null,
  head: { readonly number: number; readonly hash: string } | undefined,
  width: number,
): string {
  switch (format) {
    case "json": {
      const records = found.map(([record, hash]) => ({ hash, ...record }));
      const end = head === undefined ? null : { number: head.number, hash: head.hash };
      return jsonText({ formatVersion: 1, head: end, records });
    }
    case "markdown":
      return markdownOf(found, about);
    case "text":
      return textOf(found, about, width);
    default:
      return format satisfies never;
  }
}

/** A history as Markdown: a table of the runs, or one run with a table of its steps. */
function markdownOf(found: readonly FoundRecord[], about: string | null): string {
  const [first] = found;
  if (first === undefined) return "No run was found.\n";
  if (first[0].run === about) return found.map(oneRun).join("\n");
  const rows = found.map(([record]) => [
    whenOf(record),
    code(record.run),
    inline(about === null ? countsOf(record) : record.steps.map(outcomeOf).join(", ")),
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
      inline(outcomeOf(step)),
      code(step.address),
      step.fields.map(({ name }) => code(name)).join(", "),
    ]),
    ...record.unwritten.map((step) => [inline(outcomeOf(step)), code(step.address), NOTHING]),
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

/** A history as a person reads it: a line for each run, or one run with its steps. */
function textOf(found: readonly FoundRecord[], about: string | null, width: number): string {
  const [first] = found;
  if (first === undefined) return "";
  if (first[0].run === about) return found.map((one) => runText(one, width)).join("\n");
  const rows = found.map(([record]) => {
    const what = about === null ? countsOf(record) : record.steps.map(outcomeAndFields).join(", ");
    return [whenOf(record), record.run, what, whoOf(record)];
  });
  return columns([["WHEN", "RUN", "WHAT", "WHO"], ...rows], width);
}

function outcomeAndFields(step: FoundRecord[0]["steps"][number]): string {
  return `${outcomeOf(step)}: ${step.fields.map(({ name }) => name).join(", ")}`;
}

function runText([record, hash]: FoundRecord, width: number): string {
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

const DONE: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  set: "updated",
  replace: "replaced",
  delete: "deleted",
  adopt: "adopted",
  forget: "no longer managed",
  rescue: "rescued",
  settle: "settled by hand",
};

/** What became of a step, in words: `created`, or `create failed`. */
function outcomeOf({ action, outcome }: Pick<RecordedStep, "action" | "outcome">): string {
  return outcome === "done" ? (DONE[action] ?? action) : `${action} ${outcome}`;
}

/** What is said in place of the fields of a step that did nothing. */
const NOTHING = "nothing was written";

/** `2 created, 1 update failed`, also of what was not sent; what the run was where it was about no object. */
export function countsOf(record: RunRecord): string {
  const steps = [...record.steps, ...record.unwritten];
  if (steps.length === 0) return kindOf(record);
  const counts = new Map<string, number>();
  for (const step of steps) counts.set(outcomeOf(step), (counts.get(outcomeOf(step)) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

/** When a run ended, to the minute. */
export function whenOf({ at }: RunRecord): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** Who ran it: the user where one is known, and where. */
function whoOf({ by: { user, host, job } }: RunRecord): string {
  return `${user ?? "an unknown user"} ${job === null ? `on ${host}` : `in ${job}`}`;
}

/** What the record is of. */
function kindOf({ as, by }: RunRecord): string {
  switch (as) {
    case "apply":
      return "an apply";
    case "recovery":
      return "an apply that was cut off, settled by the run after it";
    case "command":
      return by.command;
    default:
      return as satisfies never;
  }
}

/** The values of a step before and after it, as a manifest writes them; none where their texts are not kept. */
function valuesOf({ fields }: RecordedStep): readonly string[] {
  const kept = fields.filter(({ values }) => values !== undefined);
  const written = (when: "before" | "after") =>
    kept.flatMap((field) => {
      const value = field.values?.[when];
      if (value !== undefined) return snippetOf({ [field.name]: value });
      return field[when] === "unknown" ? [`# ${field.name}: not seen`] : [];
    });
  return lineDiff(written("before"), written("after")).map(tame);
}

/** Whether a record has texts of values, in words. */
function keptOf({ steps }: RunRecord): string {
  const fields = steps.flatMap((step) => step.fields);
  if (fields.length === 0) return "none";
  return fields.some(({ values }) => values !== undefined) ? "kept" : "not kept, but for their hashes";
}

/** Which effect was applied, and whether it was the expected one. */
function effectOf({ effect: { applied, expected } }: RunRecord): string {
  if (applied === null) return "not known";
  if (expected === null) return `${applied} (no effect was expected)`;
  return expected === applied ? `${applied} (as expected)` : `${applied} (expected: ${expected})`;
}
