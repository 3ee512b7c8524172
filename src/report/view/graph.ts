import type { Relation } from "../../kinds/relation.js";
import { groupBy } from "../../model/groupBy.js";
import { moreOf } from "../../words/more.js";
import type { ShownAction } from "../plan/report.js";

/** An object of a plan or a project, with what it names. */
export interface Drawn {
  readonly address: string;
  /** How others name it. */
  readonly isNamed: readonly string[];
  /** What it is in the tenant. */
  readonly title: string;
  /** Its rule, and whom a plan moves by it. */
  readonly lines: readonly string[];
  /** Null outside of a plan. */
  readonly action: ShownAction | null;
  readonly names: readonly {
    readonly thing: string;
    readonly title: string;
    readonly relation: Relation;
  }[];
}

/** A box of a graph. */
export interface Node {
  readonly title: string;
  readonly lines: readonly string[];
  readonly action: ShownAction | null;
}

/** An arrow of a graph, between two of its nodes. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

/** What an arrow says, with the object that it ends at. */
export function sentenceOf({ says }: Pick<Edge, "says">, object: string): string {
  return says.includes("…") ? says.replace("…", () => object) : `${says} ${object}`;
}

/** What one object is connected with: it is the first node. No node is a person. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

/** So many of one sort are shown beside an object; the others are counted. */
const MOST = 20;
/** And so many sorts, in the order of their weight. */
const MOST_SORTS = 40;

/** A relation between two objects; `hub` is the end that may have many of the sort. */
interface Line extends Relation {
  readonly from: string;
  readonly to: string;
  readonly hub: "from" | "to";
}

/**
 * The object with that address, what it is one thing with, what either names and who names either. Of what it gives, also
 * the reviews and conflicts that look at it, and the policies that decide about it. Null where no object has that address.
 */
export function graphOf(objects: readonly Drawn[], address: string): Graph | null {
  const known = new Map(objects.map((one) => [one.address, one]));
  if (!known.has(address)) return null;
  const own = new Map(
    objects.flatMap(({ address: id, isNamed }) => isNamed.map((name) => [name, id] as const)),
  );
  const idOf = (thing: string) => own.get(thing) ?? thing;
  const titles = new Map(
    objects.flatMap(({ names }) => names.map((one) => [idOf(one.thing), one.title] as const)),
  );
  const lines = distinct(
    objects.flatMap(({ address: from, names }) =>
      names.map(({ thing, relation }) => ({ ...relation, from, to: idOf(thing) })),
    ),
  ).filter(({ from, to }) => from !== to);
  const core = coreOf(address, lines);
  const gives = lines.filter(({ as, from }) => as === "gives" && core.has(from));
  const given = new Set(gives.map(({ to }) => to));
  const shown = lines.flatMap((line): readonly Line[] => {
    const { as, from, to } = line;
    if (core.has(to) && (as === "part" || !core.has(from))) return [{ ...line, hub: "to" }];
    if (core.has(from) || (as === "decides" && given.has(from))) return [{ ...line, hub: "from" }];
    return as === "asks" && given.has(to) ? [{ ...line, hub: "to" }] : [];
  });
  return withNodes(address, shown, (id) => {
    const { title, lines: below, action } = known.get(id) ?? { title: "", lines: [], action: null };
    if (!known.has(id)) return { title: titles.get(id) ?? id, lines: [], action: null };
    return { title: id, lines: title === "" ? below : [title, ...below], action };
  });
}

/** All that is one thing with an object. */
function coreOf(address: string, lines: readonly Omit<Line, "hub">[]): ReadonlySet<string> {
  const parts = lines.filter(({ as }) => as === "part");
  const ends = groupBy(
    parts.flatMap(({ from, to }) => [
      [from, to],
      [to, from],
    ]),
    ([one = ""]) => one,
  );
  const core = new Set([address]);
  for (const one of core) for (const [, other = ""] of ends.get(one) ?? []) core.add(other);
  return core;
}

/** The graph of the lines, and a node with the number of those that are left out of each sort. */
function withNodes(first: string, lines: readonly Line[], nodeOf: (id: string) => Node): Graph {
  const places = new Map([[first, 0]]);
  const nodes: Node[] = [nodeOf(first)];
  const edges: Edge[] = [];
  const placeOf = (id: string) => {
    const place = places.get(id) ?? nodes.push(nodeOf(id)) - 1;
    places.set(id, place);
    return place;
  };
  const sorts = groupBy([...lines].sort(inOrder), ({ says, hub, ...ends }) =>
    JSON.stringify([says, ends[hub]]),
  );
  for (const sort of [...sorts.values()].slice(0, MOST_SORTS)) {
    for (const { from, to, says } of sort.slice(0, MOST))
      edges.push({ from: placeOf(from), to: placeOf(to), says });
    const [next] = sort.slice(MOST);
    if (next === undefined) continue;
    const [title = ""] = moreOf(sort.length - MOST);
    const others = nodes.push({ title, lines: [], action: null }) - 1;
    const ends =
      next.hub === "from" ? { from: placeOf(next.from), to: others } : { from: others, to: placeOf(next.to) };
    edges.push({ ...ends, says: next.says });
  }
  return { nodes, edges };
}

const ORDER: readonly Relation["as"][] = ["part", "gives", "decides", "asks", "other"];

function inOrder(one: Line, other: Line): number {
  return ORDER.indexOf(one.as) - ORDER.indexOf(other.as);
}

function distinct<L extends Omit<Line, "hub">>(lines: readonly L[]): readonly L[] {
  return [...new Map(lines.map((line) => [JSON.stringify([line.from, line.says, line.to]), line])).values()];
}
