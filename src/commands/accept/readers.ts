import type { Place, Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic, Related, Span } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";

/** So many readers are listed; the others are counted. */
const MOST = 20;

/** A value that a shape or a named value gives: where it is written, and every field of the project that reads it there. */
export function withReaders(
  diagnostic: Diagnostic,
  place: Place,
  resources: readonly Resource[],
): Diagnostic {
  const readers = resources.flatMap((resource) => readersIn(resource, place.span));
  const more = readers.length - MOST;
  const shown = [...readers.slice(0, MOST), ...(more > 0 ? [`${more} more`] : [])];
  const { file, start } = place.span;
  const written = `${file}:${start.line}`;
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
