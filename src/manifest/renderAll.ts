import { byAddress, formatAddress } from "../model/address.js";
import { byPlace, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { belongingOf } from "./belonging.js";
import { companionSetting, isManifest, readEnvelope } from "./envelope.js";
import { plainManifests } from "./expand/shape.js";
import { readSources } from "./files.js";
import { rendered } from "./format/rendered.js";
import { checkAll, type Load } from "./load.js";
import { locate, type Written } from "./locate.js";
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
