import { kindFinder } from "../kinds/kindOf.js";
import { namesMeant } from "../manifest/linked.js";
import type { AppNames } from "../manifest/references.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { holdersIn } from "../state/holders.js";
import { desire } from "./desire.js";
import type { Desired } from "./known.js";
import type { Directory } from "./names/directory.js";
import { type Linked, resolve } from "./names/resolve.js";
import type { Origin } from "./origin.js";

/**
 * What manifests of an earlier project asked for, with ids for names. Names of apps are those of that project, and all
 * others mean what they mean now, or of several things what the state remembers. A manifest with a name that means nothing clear any more is left out, with a warning.
 */
export async function resolveEarlier(
  resources: readonly Resource[],
  apps: AppNames,
  { kinds, directory, snapshot }: Pick<Origin, "kinds" | "directory" | "snapshot">,
): Promise<Checked<readonly Desired[]>> {
  const kindOf = kindFinder(kinds);
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
      return id === undefined ? { as: "unseen", diagnostic: unknownNow(kind, name) } : { as: "id", id };
    };
  const all = await Promise.all(
    resources.map(async (resource) => {
      const kind = kindOf(resource.address);
      const remembered = holders.get(formatAddress(resource.address))?.meanings ?? {};
      const resolved = await resolve(resource, kind, then, {
        unselected: () => undefined,
        remembered,
        linked: linkedFrom(resource),
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

function unknownNow(kind: string, name: string): Diagnostic {
  const message = `the state has no record of ${kind}/${name}`;
  return { code: "reference/not-found", severity: "error", message, hint: "Name the object with its key." };
}

function unclear({ address, file }: Resource, { message }: Diagnostic): Diagnostic {
  return {
    code: "since/unclear",
    severity: "warning",
    message: `${formatAddress(address)} was edited or removed (${file}), and remit cannot tell which object it meant before: ${message}`,
    hint: "Nothing is done about it. To delete its object, name it with its key under `removed:` in remit.yaml.",
  };
}
