import { usable, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/visible.js";
import { type Graph, type Node, sentenceOf } from "../../view/graph.js";
import { SIGNS } from "../../view/signs.js";

/** A graph for a terminal: each arrow once, below the object that it begins or ends at. */
export function treeOf({ nodes, edges }: Graph, { columns, paint }: Page): string {
  const room = usable(columns);
  const shown = new Set<number>();
  const drawn = new Set<number>();
  return `${nodeOf(0, (name) => name, "", "").join("\n")}\n`;

  /** A node in a sentence, and the first time it is shown its lines and all that is connected with it. */
  function nodeOf(
    at: number,
    sentence: (name: string) => string,
    indent: string,
    hanging: string,
  ): readonly string[] {
    const { title, lines, action }: Node = nodes[at] ?? { title: "", lines: [], action: null };
    const { sign, role } = SIGNS[action ?? "keep"];
    const changes = action === null || action === "keep" ? "" : `  ${paint(role, `${sign} ${action}`)}`;
    const head = `${sentence(paint("strong", tame(title)))}${changes}`;
    const isKnown = shown.has(at);
    shown.add(at);
    return [
      ...wrap(head, room, paint("frame", indent), paint("frame", hanging)),
      ...(isKnown ? [] : [...ownLines(lines, hanging), ...below(at, hanging)]),
    ];
  }

  function ownLines(lines: readonly string[], hanging: string): readonly string[] {
    return lines.flatMap((text) => wrap(paint("frame", tame(text)), room, paint("frame", `${hanging}  `)));
  }

  function below(at: number, margin: string): readonly string[] {
    const here = [...edges.entries()].filter(
      ([place, { from, to }]) => !drawn.has(place) && (from === at || to === at),
    );
    for (const [place] of here) drawn.add(place);
    return here.flatMap(([, edge], place) => {
      const isLast = place === here.length - 1;
      const [indent, hanging] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
      const says = tame(edge.says);
      const sentence = (name: string) =>
        edge.from === at ? sentenceOf({ says }, name) : `${name} ${sentenceOf({ says }, "it")}`;
      return nodeOf(
        edge.from === at ? edge.to : edge.from,
        sentence,
        `${margin}${indent}`,
        `${margin}${hanging}`,
      );
    });
  }
}
