import { isAlias, isMap, isScalar, isSeq, type ParsedNode, visit } from "yaml";
import { formatPath, type Path } from "../../model/path.js";
import { say } from "../../words/say.js";
import { isMarker, WITH } from "../expand/markers.js";
import type { Range } from "../parse/marks.js";
import type { Hindrance } from "./edit.js";
import { endOf, heldIn, type Opened, type RowOrMember } from "./opened.js";

/** A value that may be edited, and what holds it; null for the whole document. */
export interface Spot {
  readonly node: ParsedNode | null;
  readonly held: RowOrMember | null;
  /** Whether it stands between braces or brackets, or has some itself. */
  readonly isInFlow: boolean;
}

const MERGE = "<<";

/**
 * The value that a path under `spec` leads to, or why its text is not its own: it is written elsewhere, or other places
 * read it, too.
 */
export function findValue(opened: Opened, below: Path): Spot | Hindrance {
  const path = ["spec", ...below];
  let found: Spot = { node: opened.root, held: null, isInFlow: isFlow(opened.root) };
  for (const [at, name] of path.entries()) {
    const shared = sharing(opened, found.node, path.slice(0, at));
    if (shared !== null) return shared;
    const all = heldIn(opened.text, found.node);
    const held = isSeq(found.node) ? all[Number(name)] : all.find((one) => one.name === name);
    if (held === undefined) return missing(all, found, path.slice(0, at + 1));
    found = { node: held.node, held, isInFlow: found.isInFlow || isFlow(held.node) };
  }
  return sharing(opened, found.node, path) ?? found;
}

/** Why a stretch cannot be replaced or removed: an anchor in it is used elsewhere. Null where nothing is in the way. */
export function anchoredIn(
  opened: Opened,
  node: ParsedNode | null,
  [start, end]: Range,
  path: Path,
): Hindrance | null {
  if (node === null) return null;
  let refusal: Hindrance | null = null;
  visit(node, (_key, inner) => {
    const one = inner as ParsedNode;
    refusal ??= putIn(one, path, [start, end]);
    const anchor = "anchor" in one ? one.anchor : undefined;
    const users = anchor === undefined ? [] : (opened.aliases.get(anchor) ?? []);
    if (users.some((at) => at < start || at >= end))
      refusal ??= say(
        "accept/anchor#inside",
        { path: shown(path), anchor: `${anchor}` },
        { range: [start, end] },
      );
  });
  return refusal;
}

/** Whether a collection is written between braces or brackets. */
export function isFlow(node: ParsedNode | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

/** A path as the author knows it: from `spec`. */
function shown(path: Path): string {
  return path[0] === "spec" && path.length > 1
    ? formatPath(path.slice(1))
    : formatPath(path) || "the manifest";
}

function sharing(opened: Opened, node: ParsedNode | null, path: Path): Hindrance | null {
  if (node === null) return null;
  const range: Range = [node.range[0], endOf(opened.text, node, node.range[0])];
  const named = putIn(node, path, range);
  if (named !== null) return named;
  if (isAlias(node)) return say("accept/alias", { path: shown(path), anchor: node.source }, { range });
  const { anchor } = node;
  if (anchor === undefined || !opened.aliases.get(anchor)?.length) return null;
  return say("accept/anchor#own", { path: shown(path), anchor }, { range });
}

/** Why a value is not written here: a named value, a text of several parts, or names of an expression are put in. */
function putIn(node: ParsedNode, path: Path, range: Range): Hindrance | null {
  const names = isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? String(key.value) : "")) : [];
  const marker = names.find((name) => isMarker(name));
  const isFilled = names.includes(WITH) && names.includes("expression");
  if (marker !== undefined) return say("accept/named-value#marker", { path: shown(path), marker }, { range });
  return isFilled ? say("accept/named-value#names", { path: shown(path) }, { range }) : null;
}

function missing(all: readonly RowOrMember[], { node }: Spot, path: Path): Hindrance {
  const merge = all.find(({ name }) => name === MERGE);
  const range: Range =
    merge === undefined ? [node?.range[0] ?? 0, node?.range[0] ?? 0] : [merge.start, merge.end];
  return say(
    merge === undefined ? "accept/unwritable#missing" : "accept/merge",
    { path: shown(path) },
    { range },
  );
}
