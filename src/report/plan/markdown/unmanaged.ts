import { code, fence, inline } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { tameLine } from "../../text/tame.js";
import type { PlanReport, UnmanagedReport } from "../report.js";
import { nameOfUnmanaged, unmanagedTitle } from "../unmanaged.js";

/** What is not managed, as far as there is room: a title, the objects, and how many are left out. */
export function unmanagedBlocks(
  report: PlanReport,
  kept: readonly string[],
  lost: number,
): readonly string[] {
  const head = unmanagedTitle(report);
  if (head === null) return [];
  return [`**${inline(head)}**`, ...kept, ...(lost === 0 ? [] : [`… and ${many(lost, "object")} more.`])];
}

/** An unmanaged object, folded: its ids, and what a manifest could say of it. */
export function unmanagedOf(
  kind: string,
  object: UnmanagedReport["kinds"][number]["objects"][number],
): string {
  const summary = `<details><summary>${code(`${kind} ${nameOfUnmanaged(object)}`)}</summary>`;
  const content = object.lines.length === 0 ? [] : [fence(object.lines.map(tameLine), "yaml")];
  return [summary, code(object.key), ...content, "</details>"].join("\n\n");
}
