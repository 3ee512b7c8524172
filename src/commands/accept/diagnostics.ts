import { kindNamed } from "../../kinds/index.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { formatPath } from "../../model/path.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { shapeAt } from "../../schema/shape.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import type { Correction } from "./edit/align.js";

/** A target that is not in the project, or a field that its kind does not have. */
export function unknownTarget(
  address: Address,
  field: string | null,
  resources: readonly Resource[],
): readonly Diagnostic[] {
  const name = formatAddress(address);
  const names = resources.map((resource) => formatAddress(resource.address));
  if (!names.includes(name))
    return [say("accept/no-such-target#address", { name, meant: meant(name, names) })];
  const shape = kindNamed(address.kind)?.shape;
  if (field === null || shape === undefined) return [];
  const path = field.split(/[.[\]]+/).filter((part) => part !== "");
  if (shapeAt(shape, path) !== undefined) return [];
  const known = [...shape.fields.keys()];
  return [
    say("accept/no-such-target#field", { kind: address.kind, field, meant: meant(path[0] ?? "", known) }),
  ];
}

/** A field that is not written, with why. */
export function notWritten(
  address: Address,
  field: string,
  { code, message, hint = "" }: Diagnostic,
  place: Place | undefined,
): Diagnostic {
  const why = message.startsWith(field) ? message : `${field}: ${message}`;
  return quote(code, "error", `${formatAddress(address)}: ${why}`, { ...place, hint });
}

/** The corrections of a manifest that can be written; what is left out gets a diagnostic. */
export function writable(
  { address, place: placeOf }: Resource,
  corrections: readonly Correction[],
  left: Diagnostic[],
): readonly Correction[] {
  for (const { place, problem } of corrections)
    if (problem !== null) {
      const why = say("accept/unwritable", { why: problem });
      left.push(notWritten(address, formatPath(place), why, placeOf(["spec", ...place])));
    }
  return corrections.filter(({ problem }) => problem === null);
}

/** What was meant, as the start of a hint. */
function meant(name: string, known: readonly string[]): string {
  const found = didYouMean(name, known);
  return found === undefined ? "" : `${found} `;
}
