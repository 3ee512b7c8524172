import type { KeptBecause } from "../../author/accept/choose.js";
import { kindNamed } from "../../kinds/index.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Step } from "../../plan/step.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { shapeAt } from "../../schema/shape.js";
import { say } from "../../words/say.js";

/** What an accept says, one function for each diagnostic. */
export const acceptDiagnostics = {
  /** A target that is not in the project, or a field that its kind does not have. */
  unknownTarget(
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
  },

  left(resource: Resource, field: string, why: KeptBecause): Diagnostic {
    const name = formatAddress(resource.address);
    const place = resource.place(["spec", ...field.split(".")]);
    return why === "edited too"
      ? say("accept/edited#both", { name, field }, place)
      : say("accept/edited#alone", { name, field }, place);
  },

  /** A field of an object that is gone. */
  deleted({ address, place }: Resource): Diagnostic {
    const name = formatAddress(address);
    return say("accept/deleted", { name }, place([]));
  },

  /** An object whose values the plan does not have. */
  unseen({ diagnostics: [first] }: Step, { address, place }: Resource): Diagnostic {
    const why = first === undefined ? "it is not in the tenant" : first.message;
    return say("accept/not-seen", { address, why }, { ...place([]), hint: first?.hint });
  },

  notWritten(
    address: Address,
    field: string,
    why: string,
    code: string,
    place: Place | undefined,
  ): Diagnostic {
    const shown = why.startsWith(field) ? why : `${field}: ${why}`;
    return {
      code,
      severity: "error",
      message: `${formatAddress(address)}: ${shown}`,
      ...place,
      hint: HINTS[code] ?? "Write the tenant's value by hand; `remit plan` shows it.",
    };
  },

  /** A file that is not as the plan read it. */
  changedFile(file: string): Diagnostic {
    return say("accept/changed-file#atApply", { file });
  },
};

const HINTS: Readonly<Record<string, string>> = {
  "accept/alias": "Change the value at the anchor by hand, or write the value here in place of the alias.",
  "accept/anchor": "Write the value out at the other places first: they would change with it.",
  "accept/merge": "Write the field here, or change it where the merge key takes it from.",
};

/** What was meant, as the start of a hint. */
function meant(name: string, known: readonly string[]): string {
  const found = didYouMean(name, known);
  return found === undefined ? "" : `${found} `;
}
