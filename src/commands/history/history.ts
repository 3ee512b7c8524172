import { type FoundRecord, historyOf } from "../../apply/history.js";
import { codeOf } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { withRun } from "../../cli/run/run.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { code, fence, inline } from "../../report/text/escape.js";
import { safeJson } from "../../report/text/safeJson.js";
import { say } from "../../words/say.js";
import { textOf } from "./text.js";
import type { HistoryFlags } from "./usage.js";
import { countsOf, effectOf, keptOf, kindOf, NOTHING, outcomeOf, valuesOf, whenOf, whoOf } from "./words.js";

/** Prints the runs that changed something, or one of them, from the history of the state. */
export default async function history(this: Context, flags: HistoryFlags, about?: string): Promise<void> {
  const opening = { command: "history", flags, tenant: false, ofState: true };
  this.process.exitCode = await withRun(this.world, opening, async ({ world, store }) => {
    const tell = (diagnostic: Diagnostic) => printDiagnostics(world, world.stderr, [diagnostic]);
    const since = flags.since === undefined ? null : Date.parse(flags.since);
    if (Number.isNaN(since)) {
      tell(say("command/usage#notADate", { text: flags.since ?? "" }));
      return codeOf("wrong usage");
    }
    if (store.history === null) {
      tell(say("state/no-history#keepsNone", { name: store.name }));
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
      return safeJson(`${JSON.stringify({ formatVersion: 1, head: end, records }, null, 2)}\n`);
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
