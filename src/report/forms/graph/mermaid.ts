import { visible } from "../../text/visible.js";
import type { Graph, Node } from "../../view/graph.js";

/** A graph as Mermaid, which GitHub, GitLab and many wikis draw. */
export function mermaidOf({ nodes, edges }: Graph): string {
  const lines = [
    "flowchart LR",
    ...nodes.map((node, place) => `  n${place}["${labelOf(node)}"]`),
    ...edges.map(({ from, to, says }) => `  n${from} -->|"${quoted(says.replace("… ", ""))}"| n${to}`),
    "  classDef first stroke-width:3px",
    "  class n0 first",
  ];
  return `${lines.join("\n")}\n`;
}

function labelOf({ title, lines, action }: Node): string {
  const changes = action === null || action === "keep" ? "" : ` (${action})`;
  return [`${title}${changes}`, ...lines].map(quoted).join("<br>");
}

// A text never becomes mark-up, a link or an icon: Mermaid reads `#NN;` as a character.
const PLAIN = /[^\p{L}\p{N} .,()›…−–-]/gu;

function quoted(text: string): string {
  return visible(text).replace(PLAIN, (character) => `#${character.codePointAt(0)};`);
}
