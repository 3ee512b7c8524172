import type { LoadedProject } from "../../manifest/project.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { placeAt, type Source } from "../../manifest/source.js";
import { type Address, formatAddress } from "../../model/address.js";
import { type Diagnostic, formatLine, lineAt, type Related, type Span } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import { notWritten } from "./diagnostics.js";
import { type OutdatedManifest, writeAccepted } from "./edit/write.js";

/** A file as it is and as it will be. */
export interface AcceptedFile {
  readonly file: string;
  /** Null where the file does not exist yet. */
  readonly before: string | null;
  /** Null where nothing is left in it. */
  readonly after: string | null;
}

/** What was accepted of one manifest: fields, or that its object was deleted. */
export interface AcceptedObject {
  readonly address: Address;
  readonly fields: readonly string[];
  readonly isDeleted: boolean;
}

/** The files of a project as they will be. Nothing is written yet. */
export interface WrittenFiles {
  readonly files: readonly AcceptedFile[];
  readonly objects: readonly AcceptedObject[];
  /** Why other differences are not accepted. */
  readonly left: readonly Diagnostic[];
}

/** So many readers are listed; the others are counted. */
const MOST = 20;

/** Writes what is accepted of manifests, and which of them go, into the texts of their files. */
export function writtenInto(
  project: Pick<LoadedProject, "sources" | "vocabulary" | "resources">,
  changed: readonly OutdatedManifest[],
  deleted: readonly Resource[],
): WrittenFiles {
  const written = project.sources.flatMap((source) => {
    const own = changed.filter(({ resource }) => resource.file === source.file);
    const gone = deleted.filter(({ file }) => file === source.file).map(({ address }) => address);
    return own.length === 0 && gone.length === 0 ? [] : [acceptedIn(source, own, gone, project)];
  });
  return {
    files: written.flatMap(({ file }) => file ?? []),
    objects: written.flatMap(({ objects }) => objects),
    left: written.flatMap(({ left }) => left),
  };
}

/** What becomes of one file: its new text, what is accepted of its manifests, and why other fields are not. */
interface AcceptedSource extends Pick<WrittenFiles, "objects" | "left"> {
  /** Null where its text stays. */
  readonly file: AcceptedFile | null;
}

/** Writes what is accepted of one file's manifests into its text. */
function acceptedIn(
  source: Source,
  changed: readonly OutdatedManifest[],
  gone: readonly Address[],
  { vocabulary, resources }: Pick<LoadedProject, "vocabulary" | "resources">,
): AcceptedSource {
  const { text, unwritten } = writeAccepted(source, changed, gone, vocabulary);
  const isSame = text === source.text;
  const written = changed.flatMap(({ resource, corrections }): readonly AcceptedObject[] => {
    const name = formatAddress(resource.address);
    const own = unwritten.filter(({ address }) => formatAddress(address) === name);
    if (isSame) return [];
    const asked = corrections.filter(({ operation }) => operation !== null);
    const fields = [...new Set(asked.map(({ place }) => formatPath(place)))];
    const kept = fields.filter((field) => !own.some((one) => one.field === field));
    return kept.length === 0 ? [] : [{ address: resource.address, fields: kept, isDeleted: false }];
  });
  const left = unwritten.map(({ address, field, fault, range }) => {
    const resource = changed.find(
      (one) => formatAddress(one.resource.address) === formatAddress(address),
    )?.resource;
    const written = resource?.place(["spec", ...field.split(".")]);
    if (fault.code === "accept/named-value" && written !== undefined)
      return withReaders(notWritten(address, field, fault, written), written, resources);
    return notWritten(address, field, fault, range === null ? written : placeAt(source, ...range));
  });
  const deleted = gone.map((address): AcceptedObject => ({ address, fields: [], isDeleted: true }));
  return {
    file: isSame ? null : { file: source.file, before: source.text, after: text },
    objects: [...written, ...deleted],
    left,
  };
}

/** A value that a shape or a named value gives: where it is written, and every field of the project that reads it there. */
function withReaders(diagnostic: Diagnostic, place: Place, resources: readonly Resource[]): Diagnostic {
  const readers = resources.flatMap((resource) => readersIn(resource, place.span));
  const more = readers.length - MOST;
  const shown = [...readers.slice(0, MOST), ...(more > 0 ? [`${more} more`] : [])];
  const written = formatLine(lineAt(place.span));
  const hint =
    readers.length > 1
      ? `Edit ${written}; ${readers.length} fields read it: ${shown.join(", ")}.`
      : `Edit ${written}; nothing else reads it.`;
  const related: readonly Related[] = place.related ?? [];
  return { ...diagnostic, ...place, related, hint };
}

/** The fields of a manifest that are written at a place. */
function readersIn(resource: Resource, { file, start, end }: Span): readonly string[] {
  const name = formatAddress(resource.address);
  const found: string[] = [];
  const visit = (value: Json | undefined, at: Path) => {
    if (value === undefined) return;
    const { span } = resource.place(["spec", ...at]);
    const isThere = span.file === file && same(span.start, start) && same(span.end, end);
    if (isThere) found.push(`${name}#${formatPath(at)}`);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...at, index]);
    else if (isObject(value))
      for (const [member, inner] of Object.entries(value)) visit(inner, [...at, member]);
  };
  for (const [member, value] of Object.entries(resource.spec)) visit(value, [member]);
  return found;
}

function same(one: Span["start"], other: Span["start"]): boolean {
  return one.line === other.line && one.column === other.column;
}
