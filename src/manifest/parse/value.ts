import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { isObject, type Json } from "../../model/json.js";
import {
  alias,
  close,
  finish,
  type Marks,
  membersOf,
  nameRange,
  type OpenMarks,
  open,
  type Range,
  valueRange,
} from "./marks.js";
import * as fault from "./valueDiagnostics.js";

/** A document as a plain value, the place of each part, and its problems. */
interface Valued {
  readonly value: Json;
  readonly marks: Marks;
  readonly faults: readonly fault.ValueFault[];
}

const MERGE = "<<";
const NOWHERE: Range = [0, 0];

/** What an anchor names; null while it is still being read. */
type Anchored = { readonly value: Json; readonly index: number; readonly size: number } | null;

/** Reads a document's nodes as a plain value: aliases and merge keys followed, every name and value marked. */
export function readValue(contents: ParsedNode | null): Valued {
  const openMarks: OpenMarks = { names: [], numbers: [] };
  const faults: fault.ValueFault[] = [];
  const anchors = new Map<string, Anchored>();
  /** Values so far, those that aliases stand for counted each time. */
  let size = 0;
  /** The end of the last value read. */
  let reached = 0;

  function visit(node: ParsedNode | null, name: string | number, named: Range): Json {
    if (node !== null && isAlias(node)) return follow(node, name, named);
    const before = size;
    size += 1;
    const [start, end] = node === null ? [named[1], named[1]] : rangeOf(node);
    const index = open(openMarks, name, named, start);
    const anchor = node?.anchor;
    if (anchor !== undefined) anchors.set(anchor, null);
    const value = isMap(node) ? readMap(node) : isSeq(node) ? readList(node) : readScalar(node);
    // A block collection ends where its last value does, not at the blank lines and comments after it.
    if (!(isMap(node) || isSeq(node)) || node.flow === true || reached < start) reached = end;
    close(openMarks, index, reached);
    if (anchor !== undefined) anchors.set(anchor, { value, index, size: size - before });
    return value;
  }

  function readList(node: YAMLSeq): Json {
    return (node as YAMLSeq<ParsedNode | null>).items.map((item, at) => visit(item, at, NOWHERE));
  }

  function readMap(node: YAMLMap): Json {
    const { items } = node as YAMLMap<ParsedNode, ParsedNode | null>;
    const members = new Map<string, Json>();
    const merges: Pair<ParsedNode, ParsedNode | null>[] = [];
    for (const pair of items) {
      const { key } = pair;
      if (!isScalar(key) || (key.type === "PLAIN" && key.source === "")) {
        faults.push(fault.badName(rangeOf(key), isScalar(key)));
      } else if (key.type === "PLAIN" && key.value === MERGE) {
        merges.push(pair);
      } else {
        const name = String(key.value);
        const named = rangeOf(key);
        if (members.has(name)) faults.push(fault.duplicateName(name, named, firstNamed(items, name)));
        members.set(name, visit(pair.value, name, named));
      }
    }
    for (const pair of merges) merge(pair, members);
    return Object.fromEntries(members);
  }

  /** Adds the members that a `<<` gives: those of the maps it names that nothing before them has. */
  function merge(pair: Pair<ParsedNode, ParsedNode | null>, members: Map<string, Json>): void {
    const index = openMarks.names.length;
    const value = visit(pair.value, MERGE, rangeOf(pair.key));
    const sources: readonly (readonly [Json, number])[] = Array.isArray(value)
      ? [...membersOf(openMarks.numbers, index)].map((member, at) => [value[at] ?? null, member])
      : [[value, index]];
    for (const [source, at] of sources) {
      if (!isObject(source)) {
        faults.push(fault.notMergeable(valueRange(openMarks.numbers, at)));
        continue;
      }
      for (const member of [...membersOf(openMarks.numbers, at)]) {
        const name = String(openMarks.names[member]);
        if (members.has(name) || !Object.hasOwn(source, name)) continue;
        const named = nameRange(openMarks.numbers, member);
        members.set(name, source[name] ?? null);
        alias(openMarks, name, named, valueRange(openMarks.numbers, member), member);
      }
    }
  }

  function follow(node: Alias.Parsed, name: string | number, named: Range): Json {
    const range = rangeOf(node);
    reached = range[1];
    const target = anchors.get(node.source);
    const over = size > fault.MOST_UNFOLDED;
    if (target !== undefined && target !== null) size += target.size;
    if (target === undefined) faults.push(fault.noAnchor(node.source, range));
    else if (target === null) faults.push(fault.aliasInItself(node.source, range));
    else if (size <= fault.MOST_UNFOLDED) {
      alias(openMarks, name, named, range, target.index);
      return target.value;
    } else if (!over) faults.push(fault.aliasBomb(range));
    close(openMarks, open(openMarks, name, named, range[0]), range[1]);
    return null;
  }

  const value = visit(contents, "", NOWHERE);
  return { value, marks: finish(openMarks), faults };
}

/** Where a map has a name for the first time. */
function firstNamed(items: readonly Pair<ParsedNode, ParsedNode | null>[], name: string): Range {
  const first = items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return first === undefined ? NOWHERE : rangeOf(first.key);
}

function readScalar(node: ParsedNode | null): Json {
  if (!isScalar(node)) return null;
  const text = String(node.value);
  return node.type === "PLAIN" && node.tag === undefined ? resolvePlain(text) : text;
}

function rangeOf(node: ParsedNode): Range {
  return [node.range[0], node.range[1]];
}

const NUMBER =
  /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["", null],
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

const LONGEST_WORD = 5;

/** What a text without quotes or tag means in YAML 1.2 (its core schema): `yes`, `on` and dates are texts. */
function resolvePlain(text: string): Json {
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  // A number begins with a digit, a sign or a point: + - . 0…9.
  const mayBeNumber = first <= 57 && (first >= 48 || first === 43 || first === 45 || first === 46);
  return mayBeNumber && NUMBER.test(text) ? Number(text) : text;
}
