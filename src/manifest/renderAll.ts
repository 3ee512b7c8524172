import { byAddress, formatAddress } from "../model/address.js";
import { byPlace, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { belongingOf } from "./belonging.js";
import { companionSetting, isManifest, readEnvelope } from "./envelope.js";
import { plainManifests } from "./expand/shape.js";
import { readSources } from "./files.js";
import type { Collection, Item, Value } from "./format/layout.js";
import { print } from "./format/print.js";
import { plantTree } from "./format/write.js";
import { lineEnd } from "./lines.js";
import { checkAll, type Load } from "./load.js";
import { locate, type Written, writtenAt } from "./locate.js";
import { parse, parsedBefore } from "./parse/parse.js";
import type { Place } from "./resource.js";
import type { Source } from "./source.js";
import { readVocabulary, type Vocabulary } from "./vocabulary.js";

/** A manifest as text, without named values and shapes. */
export interface RenderedManifest {
  readonly address: string;
  readonly text: string;
}

/** A place that reads a named value. */
export interface ValueReader {
  readonly name: string;
  readonly span: Place["span"];
}

/** All manifests of paths as plain text, in the order of their addresses, and who reads which named value. */
interface RenderedProject {
  readonly manifests: readonly RenderedManifest[];
  readonly readers: readonly ValueReader[];
  /** The names of all values. */
  readonly names: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Renders every manifest that the paths lead to; nothing where one of them has an error. */
export async function renderAll(load: Load): Promise<RenderedProject> {
  const readers = new Map<string, ValueReader>();
  const hear = (name: string, at: Written) => {
    const { span } = locate(at, []);
    readers.set(`${name} ${span.file}:${span.start.line}:${span.start.column}`, { name, span });
  };
  const { value: sources, diagnostics: unread } = await readSources(load);
  const { vocabulary, diagnostics: ofValues } = await readVocabulary({ ...load, hear });
  const texts = new Map(sources.map((source) => [source, parse(source)]));
  const parsed = (source: Source) => texts.get(source) ?? parse(source);
  const checked = checkAll(sources, vocabulary, (source) => parsedBefore(parsed(source)));
  const told = checked.diagnostics.map(({ diagnostic }) => diagnostic);
  const diagnostics = [...unread, ...ofValues, ...told].sort(byPlace);
  const { names } = vocabulary.values;
  if (hasErrors(diagnostics)) return { manifests: [], readers: [], names, diagnostics };
  const manifests = renderedFrom(sources, vocabulary, parsed);
  return { manifests, readers: [...readers.values()], names, diagnostics };
}

/**
 * The manifests of texts without errors as plain text, in the order of their addresses.
 *
 * @param parsed the documents of a text, where they were parsed before
 */
export function renderedFrom(
  sources: readonly Source[],
  { values, contexts }: Pick<Vocabulary, "values" | "contexts">,
  parsed: typeof parse = parse,
): readonly RenderedManifest[] {
  const manifests = sources.flatMap((source) =>
    parsed(source).value.flatMap(({ value, marks }) => {
      if (!isManifest(value) || companionSetting(value) !== null) return [];
      const written = { source, marks };
      if (belongingOf({ value, written }, contexts, () => undefined) !== "here") return [];
      return [...plainManifests({ value, written }, values, () => undefined)].map((plain) => {
        const { name } = readEnvelope(plain.value);
        const address = { kind: String(plain.value.kind), name };
        return { address, text: rendered(plain.value, plain.written) };
      });
    }),
  );
  return manifests
    .sort((one, other) => byAddress(one.address, other.address))
    .map(({ address, text }) => ({ address: formatAddress(address), text }));
}

/**
 * A plain manifest as text. Where nothing was put in, it stays as its author wrote it. Otherwise it has the canonical
 * layout, and a comment says of each part that was put in where it is written.
 */
function rendered(value: JsonObject, written: Written): string {
  if (written.members === undefined) {
    const {
      source: { text },
      range: [start, end],
    } = writtenAt(written, []);
    // A block of lines ends with its last line break.
    if (text[end - 1] === "\n") return text.slice(start, end);
    // A comment may stand behind the last value.
    return `${text.slice(start, lineEnd(text, end)).trimEnd()}\n`;
  }
  const root = noted(plantTree(value), value, written);
  return print([{ above: [], text: "", beside: [], root }]);
}

/** The same tree with a comment at each part that is written elsewhere. */
function noted(tree: Collection, value: JsonObject | readonly Json[], written: Written): Collection {
  const { members } = written;
  if (members === undefined) return tree;
  const items = tree.items.map((item, at): Item => {
    const name = item.key === null ? at : item.key.name;
    const part = members.get(name);
    if (part === undefined) return item;
    const inside = memberIn(value, name);
    if (part.use !== undefined || part.made !== undefined) return { ...item, beside: [`# ${placeOf(part)}`] };
    return { ...item, value: deeper(item.value, inside, part) };
  });
  return { ...tree, items };
}

function deeper(tree: Value, value: Json, written: Written): Value {
  if (tree.type === "leaf" || !(Array.isArray(value) || isObject(value))) return tree;
  return noted(tree, value, written);
}

function memberIn(value: JsonObject | readonly Json[], name: string | number): Json {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)] ?? null;
  return (value as JsonObject)[name] ?? null;
}

const WHOLE: Path = [];

/** Where a part is written, as a comment names it. */
function placeOf(written: Written): string {
  const { file, start } = locate(written, WHOLE).span;
  return `${file.replace(/\p{Cc}/gu, "?")}:${start.line}`;
}
