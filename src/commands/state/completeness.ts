import { paintFor } from "../../cli/print/diagnostics.js";
import type { World } from "../../cli/world/world.js";
import { kinds } from "../../kinds/index.js";
import { type AskedInterface, askedFor } from "../../kinds/interface.js";
import { groupBy } from "../../model/groupBy.js";
import { wrap } from "../../report/text/layout.js";

/** What of the tenant remit cannot show for one kind, and why. */
export interface Completeness {
  readonly kind: string;
  readonly gaps: readonly { readonly misses: "objects" | "fields"; readonly message: string }[];
}

/** What each kind states that no list of the service shows; where the interface has no list, that is all of it. */
export function completenessWith(asked: AskedInterface): readonly Completeness[] {
  return kinds.map(({ name, inventory: { trails, gaps } }) => {
    const used = askedFor(asked, name);
    const isListed = used === "auto" || trails.some(({ on }) => on.includes(used));
    const unlisted = `The interface ${used} has no list of these objects, so remit shows only what it applied.`;
    return {
      kind: name,
      gaps: isListed
        ? gaps.map(({ misses, message }) => ({ misses, message }))
        : [{ misses: "objects" as const, message: unlisted }],
    };
  });
}

/** One line for each kind with gaps, or for several with the same, under a heading; nothing if there is none. */
export function completenessLines(world: World, kinds: readonly Completeness[]): string {
  const { stderr } = world;
  const paint = paintFor(world, stderr);
  const columns = stderr.isTerminal ? stderr.columns : Number.POSITIVE_INFINITY;
  const open = kinds.filter(({ gaps }) => gaps.length > 0);
  const groups = groupBy(open, ({ gaps }) => gaps.map(({ message }) => message).join(" "));
  const lines = [...groups].flatMap(([text, group]) =>
    wrap(`${group.map(({ kind }) => kind).join(", ")}: ${text}`, columns, "  ", "    "),
  );
  if (lines.length === 0) return "";
  return ["", "What remit cannot see in the tenant:", ...lines]
    .map((line) => `${paint("frame", line)}\n`)
    .join("");
}
