import { keyedAs, sameByParts, sharedByAlike } from "../kinds/alike.js";
import type { Kind } from "../kinds/kind.js";
import { nameField, nameIn, textOf } from "../kinds/spelling.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { groupAt } from "../model/groupBy.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { say } from "../words/say.js";
import { namesMeant } from "./linked.js";
import type { AppNames } from "./references.js";
import type { Resource } from "./resource.js";

/** A resource and its kind. */
export interface NamedMember {
  readonly resource: Resource;
  readonly kind: Kind;
}

/** A diagnostic about several resources. */
export interface Diagnosed {
  readonly diagnostic: Diagnostic;
  readonly resources: readonly Resource[];
}

/** Reports two resources with one name, and two manifests for one object of the service, each with both places. */
export function duplicates(members: readonly NamedMember[], apps: AppNames): readonly Diagnosed[] {
  if (members.length < 2) return [];
  const found: Diagnosed[] = [];
  const report = (one: Resource, other: Resource, diagnostic: Diagnostic) =>
    found.push({ diagnostic, resources: [one, other] });
  const byAddress = new Map<string, Resource>();
  const byKey = new Map<string, NamedMember>();
  const byName = new Map<string, Described[]>();
  for (const { resource, kind } of members) {
    const address = formatAddress(resource.address);
    const namesake = remember(byAddress, address, resource);
    if (namesake !== undefined)
      report(
        namesake,
        resource,
        say(
          "manifest/duplicate-name",
          { address },
          {
            ...resource.place(["metadata", "name"]),
            related: [relate(namesake, ["metadata", "name"], "the first one is here")],
          },
        ),
      );
    const key = partsOf(resource, kind.shape.identity, kind, apps);
    const owner =
      key === undefined ? undefined : remember(byKey, `${keyedAs(kind)}:${key}`, { resource, kind });
    const twin = owner?.resource;
    const field: Path = ["spec", kind.shape.identity.at(-1) ?? ""];
    // Two manifests with one name and one object are the same manifest twice; the first diagnostic already says so.
    if (owner !== undefined && twin !== undefined && twin !== namesake)
      report(
        twin,
        resource,
        say(
          "manifest/duplicate-key#object",
          { noun: kind.noun.one, first: twin.address, second: address },
          {
            ...resource.place(field),
            ...sameByParts({ kind, address: resource.address }, { kind: owner.kind, address: twin.address }),
            related: [relate(twin, field, `${formatAddress(twin.address)} is written here`)],
          },
        ),
      );
    const alike = namesake ?? twin ?? describedAlike(resource, kind, apps, byName);
    if (alike !== undefined && alike !== namesake && alike !== twin)
      report(alike, resource, sameDescription(resource, alike, kind));
  }
  return found;
}

/** A resource, its spec as references are compared, and whether it writes its own id. */
interface Described {
  readonly resource: Resource;
  readonly spec: JsonObject;
  readonly hasId: boolean;
}

/**
 * An earlier resource under the same parent that describes the same object, where one of the two has no id: the service
 * could not tell the objects apart. Remembers this one by what the service may know it by: its name and its alias.
 */
function describedAlike(
  resource: Resource,
  kind: Kind,
  apps: AppNames,
  byName: Map<string, Described[]>,
): Resource | undefined {
  const { matches, shape } = kind;
  const parent = partsOf(resource, shape.identity.slice(0, -1), kind, apps);
  if (matches === undefined || parent === undefined) return undefined;
  const own = shape.identity.at(-1) ?? "";
  const spec = linkedSpec(resource);
  const one = { resource, spec, hasId: Object.hasOwn(spec, own) };
  const groups = Object.entries({ name: nameIn(spec), alias: textOf(spec, "alias") })
    .filter(([, text]) => text !== "")
    .map((name) => groupAt(byName, canonical([kind.name, parent, ...name])));
  const found = groups
    .flat()
    .find((other) => !(one.hasId && other.hasId) && matches(spec, { key: [], fields: other.spec }));
  for (const group of groups) group.push(one);
  return found?.resource;
}

/** Two manifests of one description, the later one first. */
function sameDescription(resource: Resource, other: Resource, kind: Kind): Diagnostic {
  const { noun, shape } = kind;
  const [name, others] = [formatAddress(resource.address), formatAddress(other.address)];
  const field = ["spec", nameField(kind)];
  return say(
    "manifest/duplicate-key#description",
    {
      noun: noun.one,
      first: others,
      second: name,
      shared: sharedByAlike(kind),
      identity: shape.identity.at(-1) ?? "",
    },
    { ...resource.place(field), related: [relate(other, field, `${others} is written here`)] },
  );
}

/** What already has a name; otherwise remembers this one. */
function remember<T>(known: Map<string, T>, name: string, one: T): T | undefined {
  const before = known.get(name);
  if (before === undefined) known.set(name, one);
  return before;
}

/**
 * What the service knows the object by, as far as it is written; an app's name stands for its id where `apps:` has it.
 */
function partsOf(
  { address, spec }: Resource,
  names: readonly string[],
  { shape }: Kind,
  apps: AppNames,
): string | undefined {
  const parts: string[] = [];
  for (const name of names) {
    const value = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (value === undefined || value === null) return undefined;
    const form = shape.fields.get(name);
    const isApp = form?.type === "string" && form.form.is === "id" && form.form.of === "app";
    parts.push(isApp ? idOf(value, apps) : canonical(linkedFrom(value, address)));
  }
  return parts.join("/");
}

function linkedSpec({ address, spec }: Resource): JsonObject {
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, linkedFrom(value, address)]));
}

/** A reference to a manifest: each row of a shape means the one of its row. */
function linkedFrom(value: Json, address: Address): Json {
  if (!isObject(value) || typeof value.manifest !== "string") return value;
  return { manifest: namesMeant(value.manifest, { address })[0] ?? value.manifest };
}

function idOf(value: Json, apps: AppNames): string {
  const name = isObject(value) ? value.name : undefined;
  return canonical((typeof name === "string" && Object.hasOwn(apps, name) ? apps[name] : undefined) ?? value);
}

function relate(resource: Resource, path: Path, message: string) {
  return { message, span: resource.place(path).span };
}
