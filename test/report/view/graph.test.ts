import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mermaidOf } from "../../../src/report/forms/graph/mermaid.js";
import { svgOf } from "../../../src/report/forms/graph/svg.js";
import { treeOf } from "../../../src/report/forms/graph/tree.js";
import { plain } from "../../../src/report/text/paint.js";
import { tameJson, visibleJson } from "../../../src/report/text/visible.js";
import { type Drawn, type Graph, graphOf } from "../../../src/report/view/graph.js";
import { anyText, rendererContract } from "../../contracts/renderer.js";
import { cases } from "../../fakes/cases.js";

const RELATIONS = [
  { says: "is an entitlement of", as: "part" },
  { says: "gives", as: "gives" },
  { says: "sends requests to", as: "decides" },
  { says: "has … in group A", as: "asks" },
  { says: "is owned by those who have", as: "other" },
] as const;

const drawn = (address: string, names: Drawn["names"] = [], isNamed: readonly string[] = []): Drawn => ({
  address,
  isNamed,
  title: "",
  lines: [],
  action: null,
  names,
});

const names = (thing: string, at: number) => ({
  thing,
  title: thing,
  relation: RELATIONS[at] ?? RELATIONS[0],
});

/** Any graph of up to 12 objects, in which each names some. */
const anyObjects = fc
  .array(fc.array(fc.tuple(fc.nat(13), fc.nat(4)), { maxLength: 6 }), { minLength: 1, maxLength: 12 })
  .map((all) =>
    all.map((named, at) =>
      drawn(
        `Kind/n${at}`,
        named.map(([to, relation]) => names(`thing:${to}`, relation)),
        [`thing:${at}`],
      ),
    ),
  );

describe("a graph", () => {
  it("has each object of its arrows once, all of them connected with the first", () => {
    fc.assert(
      fc.property(anyObjects, (objects) => {
        const { nodes, edges } = graphOf(objects, "Kind/n0") as Graph;
        expect(new Set(nodes.map(({ title }) => title)).size).toBe(nodes.length);
        const reached = new Set([0]);
        for (const one of reached)
          for (const { from, to } of edges) {
            if (from === one) reached.add(to);
            if (to === one) reached.add(from);
          }
        expect(reached.size).toBe(nodes.length);
        const printed = treeOf({ nodes, edges }, { columns: Number.POSITIVE_INFINITY, paint: plain });
        expect(printed.trimEnd().split("\n")).toHaveLength(edges.length + 1);
      }),
      { numRuns: cases(60) },
    );
  });

  it("goes on from what the object gives to reviews, conflicts and policies, and to nothing else", () => {
    const objects = [
      drawn("AccessProfile/a", [names("Entitlement/e", 1)]),
      drawn("Entitlement/e", [names("Policy/p", 2), names("Entitlement/owner", 4)]),
      drawn("AccessConflict/c", [names("Entitlement/e", 3), names("Entitlement/far", 3)]),
      drawn("AccessProfile/b", [names("Entitlement/e", 1)]),
    ];
    const graph = graphOf(objects, "AccessProfile/a") as Graph;
    expect(treeOf(graph, { columns: 80, paint: plain })).toBe(
      [
        "AccessProfile/a",
        "└─ gives Entitlement/e",
        "   ├─ sends requests to Policy/p",
        "   └─ AccessConflict/c has it in group A",
        "",
      ].join("\n"),
    );
    expect(graphOf(objects, "AccessProfile/none")).toBeNull();
  });

  it("counts what is too much to look at, sort by sort", () => {
    const many = Array.from({ length: 1000 }, (_, at) => names(`thing:${at}`, 1));
    const policy = names("Policy/p", 2);
    const { nodes, edges } = graphOf(
      [drawn("AccessProfile/a", [...many, policy])],
      "AccessProfile/a",
    ) as Graph;
    expect(nodes).toHaveLength(23);
    expect(edges.at(-1)).toEqual({ from: 0, to: 22, says: "sends requests to" });
    expect(nodes[21]?.title).toBe("… and 980 more");
  });

  it("is Mermaid of its own lines alone, and a picture of its own elements alone", () => {
    const label = String.raw`"(?:[\p{L}\p{N} .,()›…−–-]|#\d+;|<br>)*"`;
    const lines = new RegExp(
      String.raw`^(?:flowchart LR| {2}n\d+\[${label}\]| {2}n\d+ -->\|${label}\| n\d+| {2}class.*)$`,
      "u",
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const graph = graphWith(text);
        expect(
          mermaidOf(graph)
            .trimEnd()
            .split("\n")
            .filter((line) => !lines.test(line)),
        ).toEqual([]);
        const elements = new Set(svgOf(graph).match(/<[^\s>]*/g));
        expect([...elements].filter((one) => !OWN.includes(one.replace(/^<\/?/, "")))).toEqual([]);
        expect(svgOf(graph)).not.toMatch(/&(?!(?:amp|lt|gt|quot|#10);)/);
      }),
      { numRuns: cases(30) },
    );
  });
});

const OWN = ["svg", "title", "desc", "style", "defs", "marker", "path", "path/", "rect", "text"];

function graphWith(text: string): Graph {
  const ends = { from: 1, to: 0 };
  const node = { title: text, lines: [text, text], action: "create" as const };
  return { nodes: [node, node], edges: [{ ...ends, says: text }] };
}

rendererContract("a graph at a terminal", "terminal", (text, columns) =>
  treeOf(graphWith(text), { columns, paint: plain }),
);
rendererContract("a graph as a picture", "log", (text) => svgOf(graphWith(text)));
rendererContract("a graph in Mermaid", "log", (text) => mermaidOf(graphWith(text)));
rendererContract("a graph in JSON", "json", (text) => tameJson(visibleJson(graphWith(text))));
