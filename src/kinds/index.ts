import type { Address } from "../model/address.js";
import type { Shape, SpecShape, TextShape } from "../schema/shape.js";
import { accessConflict } from "./accessConflict.js";
import { accessProfile } from "./accessProfile.js";
import { complianceFramework, riskLevel } from "./attributeValue.js";
import { configurationRules } from "./configurationRules.js";
import { customEntitlement } from "./customEntitlement.js";
import { entitlementAutomation } from "./entitlementAutomation.js";
import type { Kind } from "./kind.js";
import { managedApp } from "./managedApp.js";
import { policy } from "./policy.js";
import { resource } from "./resource.js";
import { resourceType } from "./resourceType.js";
import { reviewTemplate } from "./reviewTemplate.js";
import { templateScope } from "./templateScope.js";
import { webhook } from "./webhook.js";

/** Every kind of resource. They are applied in this order, and deleted in reverse. */
export const kinds: readonly Kind[] = inOrder([
  webhook,
  riskLevel,
  complianceFramework,
  policy,
  managedApp,
  configurationRules,
  resourceType,
  resource,
  customEntitlement,
  entitlementAutomation,
  accessProfile,
  reviewTemplate,
  templateScope,
  accessConflict,
]);

/** The place of a kind in that order, by its name. */
export function placeOf(name: string): number {
  return PLACES.get(name) ?? -1;
}

const PLACES: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, place) => [name, place]));

const BY_NAME: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.name, kind]));

/** The kind of that name; undefined when there is none. */
export function kindNamed(name: string): Kind | undefined {
  return BY_NAME.get(name);
}

/**
 * Kinds with each one behind those that its manifests refer to, and otherwise as they are given. Kinds that refer to each
 * other stand as they are given, too: the order of their objects is decided object by object.
 */
export function inOrder(kinds: readonly Kind[]): readonly Kind[] {
  const [left, placed]: [Kind[], Kind[]] = [[...kinds], []];
  const named = new Map(kinds.map((kind) => [kind, kinds.filter((other) => refersTo(kind, other))]));
  while (left.length > 0) {
    const needs = new Map(left.map((kind) => [kind, needsAmong(left, kind, named)]));
    const isFirst = (kind: Kind) =>
      [...(needs.get(kind) ?? [])].every((other) => needs.get(other)?.has(kind));
    placed.push(...left.splice(left.findIndex(isFirst), 1));
  }
  return placed;
}

/** The kinds that a kind refers to, and those that these refer to. */
function needsAmong(
  kinds: readonly Kind[],
  kind: Kind,
  named: ReadonlyMap<Kind, readonly Kind[]>,
): ReadonlySet<Kind> {
  const found = new Set([kind]);
  for (const next of found)
    for (const other of named.get(next) ?? []) if (kinds.includes(other)) found.add(other);
  return found;
}

/** Whether a manifest of a kind may stand for the other kind's object, or name its id. */
function refersTo({ shape }: Kind, { name, shape: other, isPointedAt }: Kind): boolean {
  const own = other.fields.get(other.identity.at(-1) ?? "");
  const target = isPointedAt && own?.type === "string" && own.form.is === "id" ? own.form.of : "other";
  return isAnywhere(
    shape,
    ({ form }) => form.is === "id" && (form.manifest === name || (form.of !== "other" && form.of === target)),
  );
}

function isAnywhere(shape: Shape | SpecShape, test: (text: TextShape) => boolean): boolean {
  switch (shape.type) {
    case "string":
      return test(shape);
    case "list":
      return isAnywhere(shape.item, test);
    case "map":
      return isAnywhere(shape.value, test);
    case "object":
      return [...shape.fields.values()].some((field) => isAnywhere(field, test));
    default:
      return false;
  }
}

/** The kind of an address; an address of no kind is a bug by then. */
export function kindOf({ kind }: Pick<Address, "kind">): Kind {
  const found = kindNamed(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}
