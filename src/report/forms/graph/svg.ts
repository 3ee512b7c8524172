import { widthOf, wrap } from "../../text/layout.js";
import { plain } from "../../text/paint.js";
import { tame } from "../../text/visible.js";
import { type Graph, type Node, sentenceOf } from "../../view/graph.js";
import { type Html, html, lines as linesIn, NOTHING, verbatim } from "../html/html.js";
import { treeOf } from "./tree.js";

const STYLE = `svg{background:#fff;color:#1d232a}text{font:12px ui-monospace,Consolas,Menlo,monospace;fill:currentColor;white-space:pre}.b{font-weight:700}.d{fill:#555e69}rect{fill:#f4f6f8;stroke:#a9b1bb}.first{stroke:#0b57c2;stroke-width:2}.create{stroke:#0b6430}.delete,.blocked{stroke:#a3141c}.update,.replace,.removed,.forget{stroke:#7a4a00}path{fill:none;stroke:#555e69}#h path{fill:#555e69;stroke:none}@media(prefers-color-scheme:dark){svg{background:#12161b;color:#e4e8ed}.d{fill:#a5b0bd}rect{fill:#1b2129;stroke:#566270}.first{stroke:#8dbbff}.create{stroke:#7fdca0}.delete,.blocked{stroke:#ffa3a6}.update,.replace,.removed,.forget{stroke:#f3c566}path{stroke:#a5b0bd}#h path{fill:#a5b0bd}}`;

const WIDTH = 380;
const [LINE, PAD, GAP, LANE] = [17, 8, 12, 9];
/** Of 12 pixels, a character of this font is as wide at the most. */
const CHARACTER = 7.3;
/** More lanes share the outermost one. */
const MOST_LANES = 8;

// A picture is XML: an ampersand that HTML reads as itself is an error there, and so are two characters.
const AMPERSAND = /&(?![A-Za-z#])/g;
const NO_CHARACTER = /[\ufffe\uffff]/g;

interface Box {
  readonly y: number;
  readonly height: number;
}

/** A graph as one picture, light and dark, without a script: boxes below each other, and arrows at their left. */
export function svgOf(graph: Graph): string {
  const { nodes, edges } = graph;
  const lanes = Math.min(MOST_LANES, edges.length);
  const left = 14 + lanes * LANE;
  const texts = nodes.map((node, at) =>
    linesOf(node, saidOf(graph, at), Math.floor((WIDTH - left - 2 * PAD - 4) / CHARACTER)),
  );
  const boxes: Box[] = [];
  for (const lines of texts) {
    const last = boxes.at(-1);
    boxes.push({ y: last === undefined ? 4 : last.y + last.height + GAP, height: lines.length * LINE + PAD });
  }
  const end = boxes.at(-1);
  const height = (end?.y ?? 0) + (end?.height ?? 0) + 4;
  const { html: picture } =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d"><title id="t">${nodes[0]?.title ?? ""}</title><desc id="d">${linesIn(treeOf(graph, { columns: Number.POSITIVE_INFINITY, paint: plain }))}</desc><style>${verbatim(STYLE)}</style>${HEAD}${nodes.map(
      (node, at) =>
        boxOf(boxes[at], texts[at] ?? [], left, at === 0 ? html`first` : html`${node.action ?? "keep"}`),
    )}${edges.map(({ from, to }, at) => arrowOf(boxes[from], boxes[to], left, at % Math.max(1, lanes)))}</svg>
`;
  return picture.replace(AMPERSAND, "&amp;").replace(NO_CHARACTER, "\ufffd");
}

/** The head of an arrow. */
const HEAD = html`<defs><marker id="h" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs>`;

function boxOf(box: Box | undefined, rows: readonly Row[], left: number, kind: Html): Html {
  if (box === undefined) return NOTHING;
  return html`<rect x="${left}" y="${box.y}" width="${WIDTH - left - 4}" height="${box.height}" rx="6" class="${kind}"/>${rows.map(
    ({ text, as }, row) =>
      html`<text x="${left + PAD}" y="${box.y + 16 + row * LINE}" class="${as}">${text}</text>`,
  )}`;
}

function arrowOf(from: Box | undefined, to: Box | undefined, left: number, lane: number): Html {
  if (from === undefined || to === undefined) return NOTHING;
  const x = left - 12 - lane * LANE;
  const shift = 3 + lane * 2;
  const [begin, end] = [
    from.y + Math.min(from.height - 4, 8 + shift),
    to.y + Math.min(to.height - 4, 6 + shift / 2),
  ];
  return html`<path d="M${left} ${begin}H${x}V${end}H${left}" marker-end="url(#h)"/>`;
}

interface Row {
  readonly text: string;
  readonly as: Html;
}

const [STRONG, DIM, PLAIN] = [html`b`, html`d`, html`p`];

function linesOf({ title, lines, action }: Node, said: readonly string[], columns: number): readonly Row[] {
  const rows = (text: string, as: Html) =>
    wrap(tame(text), columns, "").flatMap((line) =>
      inside(line, columns).map((part) => ({ text: part, as })),
    );
  const changes = action === null || action === "keep" ? [] : rows(action, DIM);
  return [
    ...rows(title, STRONG),
    ...changes,
    ...lines.flatMap((line) => rows(line, DIM)),
    ...said.flatMap((line) => rows(line, PLAIN)),
  ];
}

/** What the arrows at a node say, each once: at the end that is further down. */
function saidOf({ nodes, edges }: Graph, at: number): readonly string[] {
  const name = (place: number) => nodes[place]?.title ?? "";
  return edges.flatMap(({ from, to, says }) => {
    if (Math.max(from, to) !== at) return [];
    return [from === at ? sentenceOf({ says }, name(to)) : `${name(from)} ${sentenceOf({ says }, "it")}`];
  });
}

/** A line in parts that fit into a box: an address without a space is wrapped nowhere else. */
function inside(line: string, columns: number): readonly string[] {
  const parts: string[] = [];
  let part = "";
  for (const letter of line) {
    if (widthOf(part + letter) > columns) {
      parts.push(part);
      part = "";
    }
    part += letter;
  }
  return [...parts, part];
}
