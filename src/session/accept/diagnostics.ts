import type { KeptBecause } from "../../author/accept/choose.js";
import { kindNamed } from "../../kinds/index.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Step } from "../../plan/step.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { shapeAt } from "../../schema/shape.js";

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
      return [noSuch(`no manifest has the address ${name}`, didYouMean(name, names))];
    const shape = kindNamed(address.kind)?.shape;
    if (field === null || shape === undefined) return [];
    const path = field.split(/[.[\]]+/).filter((part) => part !== "");
    if (shapeAt(shape, path) !== undefined) return [];
    const known = [...shape.fields.keys()];
    return [noSuch(`${address.kind} has no field ${field}`, didYouMean(path[0] ?? "", known))];
  },

  left(resource: Resource, field: string, why: KeptBecause): Diagnostic {
    const name = formatAddress(resource.address);
    const place = resource.place(["spec", ...field.split(".")]);
    return why === "edited too"
      ? {
          code: "accept/edited",
          severity: "warning",
          message: `${name}: ${field} was edited in the manifest and changed in the tenant, so it is not accepted`,
          ...place,
          hint: `To give up the edit, run: remit accept ${name}#${field}`,
        }
      : {
          code: "accept/edited",
          severity: "note",
          message: `${name}: ${field} was edited in the manifest alone, so it stays as it is`,
          ...place,
          hint: `To give up the edit, run: remit accept ${name}#${field}`,
        };
  },

  /** A field of an object that is gone. */
  deleted({ address, place }: Resource): Diagnostic {
    const name = formatAddress(address);
    return {
      code: "accept/deleted",
      severity: "error",
      message: `${name} was deleted in the tenant, so it has no fields there`,
      ...place([]),
      hint: `To remove its manifest, run: remit accept ${name}`,
    };
  },

  /** An object whose values the plan does not have. */
  unseen({ diagnostics: [first] }: Step, { address, place }: Resource): Diagnostic {
    const why = first === undefined ? "it is not in the tenant" : first.message;
    return {
      code: "accept/not-seen",
      severity: "error",
      message: `${formatAddress(address)} cannot be accepted: ${why}`,
      ...place([]),
      hint: first?.hint ?? "Apply it first.",
    };
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
    return {
      code: "accept/changed-file",
      severity: "error",
      message: `${file} is not as it was when the plan was made, so nothing is written to it`,
      hint: "Make the plan again, or run remit accept without --from.",
    };
  },
};

const HINTS: Readonly<Record<string, string>> = {
  "accept/alias": "Change the value at the anchor by hand, or write the value here in place of the alias.",
  "accept/anchor": "Write the value out at the other places first: they would change with it.",
  "accept/merge": "Write the field here, or change it where the merge key takes it from.",
};

function noSuch(message: string, suggestion: string | null | undefined): Diagnostic {
  const hint = `${suggestion ?? ""} Write Kind/name, or Kind/name#field.`.trim();
  return { code: "accept/no-such-target", severity: "error", message, hint };
}
