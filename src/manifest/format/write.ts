import { stringify } from "yaml";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { arrange } from "./arrange.js";
import type { Collection, Item, Leaf, Value } from "./layout.js";
import { print } from "./print.js";
import { spellPlain } from "./scalar.js";
import { EMPTY } from "./tree.js";
import { doubleQuoted, isEscaped, withEscapes } from "./unseen.js";

/** A manifest to be written: its content, and what its first lines say to editors and readers. */
interface NewManifest {
  readonly kind: string;
  readonly name: string;
  /** The contexts that it belongs to; absent for each. */
  readonly contexts?: readonly string[];
  readonly spec: JsonObject;
  /** Where the editor finds the schema of the kind; null for no such line. */
  readonly schema: string | null;
  /** Comments above the document, a line each. */
  readonly comments: readonly string[];
}

/** How a manifest writes its name: `member[eng]` is the row `eng` of `member`. */
export function metadataNamed(name: string): { readonly name: string; readonly row?: string } {
  const [, shape = "", row = ""] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  return row === "" ? { name } : { name: shape, row };
}

/** A manifest as text in the canonical layout. Texts that a block cannot hold are quoted; line ends are LF. */
export function writeManifest({ kind, name, contexts, spec, schema, comments }: NewManifest): string {
  const metadata = { ...metadataNamed(name), ...(contexts !== undefined && { contexts }) };
  const content = { apiVersion: "remit/v1", kind, metadata, spec };
  const head = [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    ...comments
      .flatMap((comment) => comment.split(/[\r\n\u2028\u2029\u0085]+/))
      .map((line) => `# ${withEscapes(line)}`.trimEnd()),
  ];
  return print([{ above: [], text: "", beside: [], root: { ...plantTree(content), head } }]);
}

/** Fields as the lines that a manifest has under `spec`, in the canonical layout. YAML reads them back as they are. */
export function snippetOf(fields: JsonObject): readonly string[] {
  if (Object.keys(fields).length === 0) return [];
  const root = plantTree(fields);
  return print([{ above: [], text: "", beside: [], root }])
    .replace(/\n$/, "")
    .split("\n");
}

/** The layout tree of an object, as `growTree` would grow it from the object's YAML, without writing and reading that. */
export function plantTree(value: JsonObject): Collection {
  const items = Object.entries(value).map(([name, member]) => itemOf(keyOf(name), plant(member)));
  return collection("map", items);
}

function plant(value: Json): Value {
  if (Array.isArray(value))
    return collection(
      "list",
      value.map((item) => itemOf(null, plant(item))),
    );
  if (isObject(value)) return plantTree(value);
  if (typeof value !== "string")
    return { ...EMPTY, text: String(value), flowText: String(value), value: String(value) };
  const plain = isEscaped(value) ? null : spellPlain(value);
  return plain === null ? quoted(value) : { ...EMPTY, ...plain, value };
}

function collection(type: Collection["type"], items: readonly Item[]): Collection {
  return { type, properties: "", flow: items.length === 0, items, head: [], foot: [], anchor: null };
}

function itemOf(key: Item["key"], value: Value): Item {
  return { above: [], key, value, beside: [], below: [] };
}

function keyOf(name: string): Item["key"] {
  if (isEscaped(name)) return { text: doubleQuoted(name), flowText: doubleQuoted(name), name };
  const { text, flowText } = spellPlain(name) ?? keyIn({ [name]: "" });
  return { text, flowText, name };
}

/** A text that needs quotes or a block: YAML's own writer chooses, but it escapes only what JSON does. */
function quoted(value: string): Leaf {
  if (isEscaped(value)) {
    const text = doubleQuoted(value);
    return { ...EMPTY, text, flowText: text, value };
  }
  const [item] = itemsIn({ text: value });
  if (item?.value.type !== "leaf") throw new Error("a text is written as a scalar");
  return item.value;
}

function keyIn(value: JsonObject): { readonly text: string; readonly flowText: string } {
  const [item] = itemsIn(value);
  if (item?.key == null) throw new Error("a member is written with its name");
  return item.key;
}

function itemsIn(value: JsonObject): readonly Item[] {
  const [part] = arrange(yamlOf(value));
  return part?.root?.items ?? [];
}

/** An object as YAML that versions 1.1 and 1.2 read alike, without anchors and without folded lines. */
export function yamlOf(value: JsonObject): string {
  return stringify(value, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
}
