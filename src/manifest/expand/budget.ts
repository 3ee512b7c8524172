import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { say } from "../../words/say.js";
import { locate, type Written } from "../locate.js";

/** How much the named values and rows of a project may make. */
export interface ExpansionLimits {
  /** The values of one manifest, and what all named values take from others. */
  readonly nodes: number;
  /** The characters of one manifest, and of all texts that are composed. */
  readonly characters: number;
  /** The items that are put into the manifests of all rows. */
  readonly pairs: number;
}

/** Real projects make far less. */
export const EXPANSION_LIMITS: ExpansionLimits = {
  nodes: 100_000,
  characters: 10_000_000,
  pairs: 1_000_000,
};

/** The limits that a project's file gives; what it leaves out, or gives in another form, is as usual. */
export function expansionLimitsIn(given: Json | undefined): ExpansionLimits {
  const { values, characters, pairs } = isObject(given ?? null) ? (given as JsonObject) : {};
  const countOf = (value: Json | undefined, usual: number) =>
    typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : usual;
  return {
    nodes: countOf(values, EXPANSION_LIMITS.nodes),
    characters: countOf(characters, EXPANSION_LIMITS.characters),
    pairs: countOf(pairs, EXPANSION_LIMITS.pairs),
  };
}

/** A map counts as one item for so many of its values. */
const NODES_OF_AN_ITEM = 20;

/** What was made so far of what may be made. */
export interface ExpansionBudget {
  /**
   * Counts what a place makes before it is made, once for each place. Gives the mistake of the first place that is too
   * much, and "spent" from there on: nothing is made then.
   */
  readonly count: (of: "value" | "manifest", at: Written, size: Size) => "fits" | "spent" | Diagnostic;
}

/** The budget of one project. */
export function makeBudget(limits: ExpansionLimits = EXPANSION_LIMITS): ExpansionBudget {
  const sums = { nodes: 0, characters: 0, pairs: 0 };
  const known = new Set<string>();
  let isSpent = false;
  return {
    count(of, at, size) {
      if (isSpent) return "spent";
      if (size.taken === ADDS_NOTHING) return "fits";
      const place = locate(at, []);
      const { file, start } = place.span;
      const key = `${file}:${start.line}:${start.column}`;
      if (known.has(key)) return "fits";
      known.add(key);
      const { nodes, characters, items, made } = size.taken;
      if (of === "value") sums.nodes += nodes;
      else sums.pairs += Math.max(items, nodes / NODES_OF_AN_ITEM);
      sums.characters += made;
      const over =
        Math.max(sums.nodes, size.largest.nodes) > limits.nodes
          ? `${shown(limits.nodes)} values`
          : Math.max(sums.characters, size.largest.characters, of === "value" ? characters : 0) >
              limits.characters
            ? `${shown(limits.characters)} characters`
            : sums.pairs > limits.pairs
              ? `${shown(limits.pairs)} pairs of rows and items`
              : null;
      if (over === null) return "fits";
      isSpent = true;
      return say("value/too-much", { over }, place);
    },
  };
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}

/** How large a value is, each use of a named value counted. */
export interface Amount {
  readonly nodes: number;
  readonly characters: number;
  /** The items of its lists. */
  readonly items: number;
  /** Characters of texts that are composed. */
  readonly made: number;
}

/** How large what is made will be. */
export interface Size {
  /** The largest manifest; a named value is as large as itself. */
  readonly largest: Pick<Amount, "nodes" | "characters">;
  /** What it takes from named values and rows, all together. */
  readonly taken: Amount;
}

/** What takes nothing from elsewhere. */
export const ADDS_NOTHING: Amount = { nodes: 0, characters: 0, items: 0, made: 0 };
