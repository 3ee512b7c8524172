import { kindOf } from "../kinds/index.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { isFindable } from "../kinds/listing.js";
import { namesMeant } from "../manifest/linked.js";
import type { AppNames } from "../manifest/references.js";
import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import { holdersIn } from "../state/names.js";
import { say } from "../words/say.js";
import { desire } from "./desire.js";
import type { Current, Desired } from "./known.js";
import type { Directory } from "./names/directory.js";
import { type Linked, resolve } from "./names/resolve.js";
import { inNames } from "./names/unclear.js";
import type { Origin } from "./origin.js";

/**
 * What manifests of an earlier project asked for, with ids for names. Names of apps are those of that project, and all
 * others mean what they mean now, or of several things what the state remembers. A manifest with a name that means nothing clear any more is left out, with a warning.
 */
export async function resolveEarlier(
  resources: readonly Resource[],
  apps: AppNames,
  { directory, snapshot }: Pick<Origin, "directory" | "snapshot">,
): Promise<Checked<readonly Desired[]>> {
  const holders = holdersIn(Object.values(snapshot?.entries ?? {}));
  const given = (app: string) => (Object.hasOwn(apps, app) ? apps[app] : undefined);
  const then: Directory = { ...directory, given };
  const linkedFrom =
    (from: Resource): Linked =>
    async (kind, name) => {
      const known = namesMeant(name, from).flatMap(
        (one) => holders.get(formatAddress({ kind, name: one })) ?? [],
      );
      const id = known[0]?.key.at(-1);
      return id === undefined
        ? { as: "unseen", diagnostic: say("reference/not-found#unknownNow", { kind, name }) }
        : { as: "id", id };
    };
  const all = await Promise.all(
    resources.map(async (resource) => {
      const kind = kindOf(resource.address);
      const remembered = holders.get(formatAddress(resource.address))?.meanings ?? {};
      const resolved = await resolve(resource, kind, then, {
        unselected: () => undefined,
        remembered,
        linked: linkedFrom(resource),
        aliased: async () => null,
      });
      const { mistakes, unseen, warnings } = resolved;
      const [doubt] = [...mistakes, ...unseen, ...warnings.filter(({ code }) => code === "reference/moved")];
      if (doubt !== undefined) return { desired: [], diagnostics: [unclear(resource, doubt)] };
      return { desired: [desire(resource, kind, resolved, new Map())], diagnostics: [] };
    }),
  );
  return {
    value: all.flatMap(({ desired }) => desired),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * The removed manifests whose objects nothing tells: only the service knows their ids, and the state has no record of
 * them. The objects that have their displayName are named, except those that a manifest of the project may mean.
 */
export function unclearAmong(
  removed: readonly Desired[],
  desired: readonly Desired[],
  { objects }: Pick<Current, "objects">,
  { snapshot }: Pick<Origin, "snapshot">,
): readonly Diagnostic[] {
  if (removed.length === 0) return [];
  const recorded = holdersIn(Object.values(snapshot?.entries ?? {}));
  const meant = new Set(
    desired.flatMap(({ resource: { address }, key }) => {
      const seen = key === null ? objects.get(formatAddress(address)) : undefined;
      const alike = seen?.as === "unread" ? (seen.namesakes ?? []) : [];
      return [...(key === null ? [] : [key]), ...alike.map((one) => one.key)].map((one) =>
        formatKey(address.kind, one),
      );
    }),
  );
  return removed.flatMap(({ resource, key }): readonly Diagnostic[] => {
    const { address } = resource;
    const kind = kindOf(address);
    const seen = objects.get(formatAddress(earlierAddress(address)));
    if (key !== null || recorded.has(formatAddress(address)) || kind.matches === undefined) return [];
    if (seen?.as === "unread" && seen.namesakes === undefined) return [unclear(resource, seen.diagnostic)];
    if (seen?.as !== "unread")
      return isFindable(kind, null) ? [] : [unclear(resource, unlisted(kind.noun.many))];
    const left = (seen.namesakes ?? []).filter((one) => !meant.has(formatKey(kind.name, one.key)));
    return left.length === 0 ? [] : [unclear(resource, sharesName(kind, left))];
  });
}

/** The address of an earlier manifest among what was read: one of the project may have its own. */
export function earlierAddress({ kind, name }: Address): Address {
  return { kind, name: `${name} (earlier)` };
}

function unlisted(noun: string): Pick<Diagnostic, "message"> {
  return { message: `without a state only its id tells, and the service has no list of ${noun}` };
}

function sharesName({ noun }: Kind, objects: readonly Observed[]): Pick<Diagnostic, "message"> {
  const are = objects.length === 1 ? `one ${noun.one} has` : `${objects.length} ${noun.many} have`;
  return { message: `${are} its displayName: ${inNames(objects)}` };
}

function unclear({ address, file }: Resource, { message }: Pick<Diagnostic, "message">): Diagnostic {
  const name = formatAddress(address);
  return say("since/unclear", { name, file, message });
}
