import { kindNamed } from "../kinds/index.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { groupBy } from "../model/groupBy.js";
import { isObject } from "../model/json.js";
import { onceFor } from "../model/onceFor.js";
import type { Path } from "../model/path.js";
import { didYouMean } from "../schema/didYouMean.js";
import { say } from "../words/say.js";
import { pathTo, walk } from "./references.js";
import type { Resource } from "./resource.js";

/** The manifest that a reference names; or what is wrong with the reference. */
type LinkedManifest =
  | { readonly as: "found"; readonly resource: Resource }
  | { readonly as: "fault"; readonly diagnostic: Diagnostic };

/** The manifest of that kind and name; from a row of a shape, the one of the same row goes first. */
export function manifestFor(
  project: readonly Resource[],
  from: Resource,
  kind: string,
  name: string,
): LinkedManifest {
  const candidates = manifestsNamed(project, from, name);
  const resource = candidates.find(({ address }) => address.kind === kind);
  if (resource !== undefined) return { as: "found", resource };
  const [other] = candidates;
  if (other !== undefined) {
    const { address } = other;
    return {
      as: "fault",
      diagnostic: say("reference/other-kind", { address, kind }, writtenHere(other, [])),
    };
  }
  const names = project.filter(({ address }) => address.kind === kind).map(({ address }) => address.name);
  const own = names.map((one) => (rowOf(from) === "" ? one : one.replace(ROW, "")));
  const values = { kind, name, count: names.length };
  const hint = didYouMean(name, [...new Set(own)]);
  return { as: "fault", diagnostic: say("reference/no-manifest", values, { hint }) };
}

/** The references of a whole project that lead to no manifest, or to one of another kind. */
export function brokenLinks(project: readonly Resource[]): readonly Diagnostic[] {
  return project.flatMap((resource) => {
    const shape = kindNamed(resource.address.kind)?.shape;
    if (shape === undefined) return [];
    const found: Diagnostic[] = [];
    walk({ value: resource.spec, shape, name: "spec", within: null }, (visited) => {
      const { value, shape: at } = visited;
      const kind = at.type === "string" && at.form.is === "id" ? at.form.manifest : undefined;
      if (kind === undefined || !isObject(value) || typeof value.manifest !== "string") return;
      const link = manifestFor(project, resource, kind, value.manifest);
      if (link.as === "fault") found.push({ ...resource.place(pathTo(visited)), ...link.diagnostic });
    });
    return found;
  });
}

/** The manifests that a reference may mean, of any kind: from a row of a shape, those of the same row go first. */
export function manifestsNamed(
  project: readonly Resource[],
  from: Pick<Resource, "address">,
  name: string,
): readonly Resource[] {
  return namesMeant(name, from).flatMap((one) => byName(project).get(one) ?? []);
}

/** A project has as many references as manifests: it is not searched for each. */
const byName = onceFor(
  (project: readonly Resource[]) => groupBy(project, ({ address }) => address.name),
  new WeakMap(),
);

/** The names that a reference may mean, in order: within a shape, that of the same row, then the name as it is written. */
export function namesMeant(name: string, from: Pick<Resource, "address">): readonly string[] {
  const row = rowOf(from);
  return row === "" ? [name] : [`${name}${row}`, name];
}

const ROW = /\[[a-z0-9-]+\]$/;

function rowOf({ address }: Pick<Resource, "address">): string {
  return ROW.exec(address.name)?.[0] ?? "";
}

/** A reference from one app to an object of another one. */
export function otherApp(resource: Resource): Diagnostic {
  return say("reference/other-app", { address: resource.address }, writtenHere(resource, ["spec", "appId"]));
}

function writtenHere({ address, place }: Resource, path: Path) {
  return { related: [{ message: `${formatAddress(address)} is written here`, span: place(path).span }] };
}
