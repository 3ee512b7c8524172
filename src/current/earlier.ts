import { kindFinder } from "../kinds/kindOf.js";
import type { AppNames } from "../manifest/references.js";
import type { Resource } from "../manifest/resource.js";
import { formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { desire } from "./desire.js";
import type { Directory } from "./directory.js";
import type { Origin } from "./origin.js";
import { resolve } from "./resolve.js";
import type { Desired } from "./world.js";

/**
 * What manifests of an earlier project asked for, with ids for names. Names of apps are those of that project, and all
 * others mean what they mean now. A manifest with a name that means nothing clear any more is left out, with a warning.
 */
export async function resolveEarlier(
  resources: readonly Resource[],
  apps: AppNames,
  { kinds, directory }: Pick<Origin, "kinds" | "directory">,
): Promise<Checked<readonly Desired[]>> {
  const kindOf = kindFinder(kinds);
  const given = (app: string) => (Object.hasOwn(apps, app) ? apps[app] : undefined);
  const then: Directory = { ...directory, given };
  const all = await Promise.all(
    resources.map(async (resource) => {
      const kind = kindOf(resource.address);
      const { spec, mistakes, unseen } = await resolve(resource, kind.shape, then, () => undefined);
      const [doubt] = [...mistakes, ...unseen];
      if (doubt !== undefined) return { desired: [], diagnostics: [unclear(resource, doubt)] };
      return { desired: [desire(resource, kind, spec, new Map())], diagnostics: [] };
    }),
  );
  return {
    value: all.flatMap(({ desired }) => desired),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

function unclear({ address, file }: Resource, { message }: Diagnostic): Diagnostic {
  return {
    code: "since/unclear",
    severity: "warning",
    message: `${formatAddress(address)} was edited or removed (${file}), and remit cannot tell which object it meant before: ${message}`,
    hint: "Nothing is done about it. To delete its object, name it with its key under `removed:` in remit.yaml.",
  };
}
