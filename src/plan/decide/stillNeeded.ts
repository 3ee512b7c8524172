import { kindOf, placeOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, byAddress, formatAddress } from "../../model/address.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { stillNamed } from "../../tenant/dependents.js";
import type { Current, Desired } from "../../tenant/known.js";
import { writes } from "../calls.js";
import type { RecordLookup } from "../record/lookup.js";
import { type Reference, referencesIn, referenceTo } from "../references.js";
import { blockedInstead, type Decision, isDelete } from "./decision.js";
import { identityOf } from "./situation.js";

/** Something that points at other objects: a manifest, or an object of the state that has none. */
interface Pointer {
  readonly address: Address;
  readonly span: Span | null;
  readonly to: ReadonlySet<Reference>;
  readonly isManifest: boolean;
}

/**
 * The decisions, with each delete blocked whose object is still needed. A manifest of the project may name it, by reference
 * or by id. Or the delete would take an object of the state with it that has no decision yet.
 */
export function withStillNeeded(
  decisions: readonly Decision[],
  wanted: { readonly desired: readonly Desired[]; readonly project: readonly Resource[] },
  memory: RecordLookup,
  dependents: Current["dependents"],
): readonly Decision[] {
  if (!decisions.some(isDelete)) return decisions;
  const manifests = manifestsIn(wanted, memory);
  const kept = new Map<Decision, Decision>();
  const rank = ({ address }: Decision) => placeOf(address.kind);
  // What is under an object is decided before the object.
  const down = decisions.toSorted((one, other) => rank(other) - rank(one));
  const left: Pointer[] = [];
  for (const decision of down) {
    const kind = kindOf(decision.address);
    // What names the entitlement of a rule, or the template of a scope, does not need the rule or the scope.
    const isNeedable = decision.key !== null && kind.isPointedAt;
    const name = isNeedable ? referenceTo(kind, decision.key) : undefined;
    const isAbove = ({ to }: Pointer) => name !== undefined && to.has(name);
    const needing = isDelete(decision)
      ? [...manifests, ...(kind.holdsOthers ? left : [])].filter(isAbove)
      : [];
    const why = isDelete(decision) ? stillNamedWithout(decisions, decision, dependents) : null;
    const free = why === null ? decision : blockedInstead(decision, "still needed", [why]);
    const result = needing.length === 0 ? free : blocked(decision, needing);
    kept.set(decision, result);
    if (result.action === "removed" || (result.action === "blocked" && result.managed.owned.length === 0))
      left.push(leftOver(result, kind));
  }
  return decisions.map((decision) => kept.get(decision) ?? decision);
}

/** Why the tenant's objects keep one from being deleted, without those that this plan frees of it; null where none does. */
function stillNamedWithout(
  decisions: readonly Decision[],
  { address, key, managed: { span } }: Decision,
  dependents: Current["dependents"],
): Diagnostic | null {
  const kind = kindOf(address);
  const seen = key === null ? undefined : dependents.get(formatKey(kind.name, key));
  if (seen === undefined || key === null) return null;
  const at = span === null ? {} : { span };
  if (seen.as === "unread") return { ...seen.diagnostic, ...at };
  const name = referenceTo(kind, key);
  const isFreed = ({ reference, by: writer }: { readonly reference: string; readonly by: string }) =>
    decisions.some((one) => {
      const by = kindOf(one.address);
      if (!writes(one) || one.key === null || by.name !== writer || referenceTo(by, one.key) !== reference)
        return false;
      return (
        one.after === null ||
        !referencesIn({ ...one.managed.identity, ...one.after }, by.shape).some((to) => to === name)
      );
    });
  const left = seen.dependents.filter((one) => !isFreed(one));
  return left.length === 0 ? null : { ...stillNamed(kind, left), ...at };
}

/** The manifests that a run looks at as it resolved them; of any other, what it has in ids, and what the state says of it. */
function manifestsIn(
  { desired, project }: { readonly desired: readonly Desired[]; readonly project: readonly Resource[] },
  memory: RecordLookup,
): readonly Pointer[] {
  const selected = new Set(desired.map(({ resource }) => resource));
  const pointer = ({ address, place }: Resource, to: readonly Reference[]): Pointer => ({
    address,
    span: place([]).span,
    to: new Set(to),
    isManifest: true,
  });
  return [
    ...desired.map(({ resource, identity, fields }) =>
      pointer(resource, referencesIn({ ...identity, ...fields }, kindOf(resource.address).shape)),
    ),
    ...project
      .filter((resource) => !selected.has(resource))
      .map((resource) => {
        const kind = kindOf(resource.address);
        const entry = memory.holder(resource.address);
        const recorded: JsonObject =
          entry === null ? {} : { ...identityOf(kind, entry.key), ...entry.createOnly, ...entry.applied };
        return pointer(resource, [
          ...referencesIn(resource.spec, kind.shape),
          ...referencesIn(recorded, kind.shape),
        ]);
      }),
  ];
}

/** An object without a manifest that stays as it is: only its ids say what it is under. */
function leftOver({ address, managed: { identity } }: Decision, { shape }: Kind): Pointer {
  return { address, span: null, to: new Set(referencesIn(identity, shape)), isManifest: false };
}

function blocked(decision: Decision, needing: readonly Pointer[]): Decision {
  const diagnostics = needing
    .toSorted((one, other) => byAddress(one.address, other.address))
    .map((one) => stillNeeded(decision, one));
  return blockedInstead(decision, "still needed", diagnostics);
}

function stillNeeded(
  { address, managed: { span } }: Decision,
  { address: by, span: at, isManifest }: Pointer,
): Diagnostic {
  const [name, other] = [formatAddress(address), formatAddress(by)];
  const said = isManifest
    ? {
        message: `${other} still names it, so it is not deleted`,
        hint: `Remove that manifest or its reference to ${name}, or remove the line that deletes ${name}.`,
      }
    : {
        message: `${other} is under it, and would be deleted with it`,
        hint: `Add \`{ address: ${other}, then: delete }\` under \`removed:\` in remit.yaml, too; or \`then: forget\` to stop managing it.`,
      };
  const related = at === null ? [] : [{ message: `${other} is written here`, span: at }];
  return {
    code: "plan/still-needed",
    severity: "error",
    ...said,
    ...(span === null ? {} : { span }),
    ...(related.length === 0 ? {} : { related }),
  };
}
