import { type FoundRecord, historyOf } from "../../apply/history.js";
import { codeOf } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { withRun } from "../../cli/run/run.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { safeJson } from "../../report/text/safeJson.js";
import { say } from "../../words/say.js";
import { markdownOf } from "./markdown.js";
import { textOf } from "./text.js";
import type { HistoryFlags } from "./usage.js";

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
