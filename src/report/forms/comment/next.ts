import { code, fence } from "../../text/escape.js";
import { tameLine } from "../../text/visible.js";
import type { View } from "../../view/view.js";

/** How a reader goes on from a plan: acknowledge, fix, or merge and apply. */
export function nextOf(view: View): readonly string[] {
  const { guards, blocked, pending } = view;
  const lines = [
    ...(guards.denied > 0
      ? ["- **Change** the manifest where a guard denies the step: no one can acknowledge it."]
      : []),
    ...(guards.asking > 0
      ? [
          `- **Acknowledge** each open guard, if it is intended: add an entry under ${code("acknowledge:")} in remit.yaml, with ${code("guard")}, ${code("address")}, ${code("of")}, ${code("until")} and ${code("reason")}. Otherwise change the manifest.`,
        ]
      : []),
    ...(blocked > 0
      ? ["- **Fix** what blocks a step, then push again. An apply leaves blocked steps out, and exits 3."]
      : []),
    ...(pending && guards.open === 0
      ? [
          "- **Apply**: merge this. The apply job plans again, and continues only if the plan has the effect above.",
        ]
      : []),
  ];
  return lines.length === 0 ? [] : ["\n**How to go on**\n", ...lines, ...entriesFor(view)];
}

/** The entries of remit.yaml that answer these findings and no others, folded: each has a hash. */
export function entriesFor({ guards: { entries, flags } }: View): readonly string[] {
  if (entries.length === 0) return [];
  const block = fence(entries.map(tameLine), "yaml");
  const once = flags === "" ? "" : `\n\nor for one apply: ${code(flags)}`;
  return [`\n<details><summary>Entries for these findings only</summary>\n\n${block}${once}\n\n</details>`];
}
