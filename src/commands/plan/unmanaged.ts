import { clientOf, type Session } from "../../apply/session.js";
import { authored } from "../../author/authored.js";
import { callAll } from "../../author/called.js";
import { identityOf, specOf } from "../../author/manuscript.js";
import { nameless } from "../../author/newNames.js";
import { pointersIn, withReferences } from "../../author/pointers.js";
import { kinds } from "../../kinds/index.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { snippetOf } from "../../manifest/format/write.js";
import { loadProject } from "../../manifest/project.js";
import type { AppNames } from "../../manifest/references.js";
import type { Checked } from "../../model/diagnostic.js";
import { formatKey } from "../../model/key.js";
import type { Request } from "../../plan/request.js";
import { type Ignored, idleEntry, isIgnored, withoutIgnored } from "../../plan/unmanaged/ignored.js";
import type { Unmanaged, UnmanagedKind, UnmanagedObject } from "../../plan/unmanaged/unmanaged.js";
import type { Snapshot } from "../../state/snapshot.js";
import { EVERY_OBJECT } from "../../tenant/inventory.js";
import type { Catalogue } from "../../tenant/names/catalogue.js";
import { resolveAll } from "../../tenant/names/resolveAll.js";
import { openLive } from "../../tenant/origin.js";
import { makeTenant, type Tenant } from "../../tenant/tenant.js";
import { objectsOf } from "../import/leftOut.js";

/** So many objects of a kind get names for their ids: looking them up takes calls. The others keep the ids. */
const MOST_LOOKED_UP = 500;

/** What is looked for beside a plan, and what the settings leave out. */
interface UnmanagedRequest {
  readonly request: Request;
  /** The entries of `ignore:` that hold. */
  readonly ignored: readonly Ignored[];
  readonly progress: (done: number, total: number) => void;
}

/**
 * Every object of the tenant that neither a manifest nor the state knows, by the same lists as an import reads. Objects that
 * something else manages, makes or builds in are left out. A list that cannot be read is named, and ends nothing.
 */
export async function findUnmanaged(
  { request, ignored, progress }: UnmanagedRequest,
  session: Session,
): Promise<Checked<Unmanaged>> {
  const client = clientOf(session);
  const { snapshot } = await session.store.read();
  const before = client.report().calls;
  const tenant = session.tenant ?? makeTenant(client, { keepsAll: true });
  const found = await inventory(request, tenant, snapshot, progress);
  const met = found.kinds.flatMap(({ kind, objects }) => objects.map((object) => ({ kind, object })));
  const idle = ignored.filter((entry) => !met.some(({ kind, object }) => isIgnored(entry, kind, object)));
  return {
    value: {
      ...found,
      kinds: withoutIgnored(found.kinds, ignored),
      calls: client.report().calls - before,
    },
    // What could not be read may fit an entry.
    diagnostics: found.unknown.length > 0 ? [] : idle.map(idleEntry),
  };
}

async function inventory(
  request: Request,
  tenant: Tenant,
  snapshot: Snapshot | null,
  progress: (done: number, total: number) => void,
): Promise<Omit<Unmanaged, "calls">> {
  const apps = request.project.manifests.apps ?? {};
  const origin = openLive({
    asked: request.tenant.interface,
    tenant,
    snapshot,
    apps,
    progress,
  });
  const { reader, catalogue } = origin;
  const project = await loadProject(request.project.manifests);
  const described = await resolveAll(project.resources, origin);
  const scope = { ...EVERY_OBJECT, withParts: false, met: () => undefined };
  const unknown: Unmanaged["unknown"][number][] = [];
  const found: UnmanagedKind[] = [];
  for (const kind of kinds) {
    const listed = await objectsOf(kind, scope, origin, described.value.desired);
    for (const { message } of listed.diagnostics)
      unknown.push({ what: `unmanaged ${kind.noun.many}`, why: message });
    const unread = listed.leftOut.filter(({ because }) => because === "unread");
    for (const { key, detail } of unread)
      unknown.push({ what: `${kind.noun.one} ${key.join("/")}`, why: detail });
    const own = listed.found.filter(({ key }) => snapshot?.entries[formatKey(kind.name, key)] === undefined);
    const objects = [
      ...(await describeAll(kind, own.slice(0, MOST_LOOKED_UP), catalogue, apps)),
      ...(await describeAll(kind, own.slice(MOST_LOOKED_UP), namingApps(catalogue), apps)),
    ];
    found.push({ kind: kind.name, objects, within: null, ignored: 0, isSure: true });
  }
  return { isWhole: true, kinds: found, unknown: [...unknown, ...reader.unknown()] };
}

/** Objects as a reader sees them: their names, their apps, and what a manifest would say. */
async function describeAll(
  kind: Kind,
  found: readonly Observed[],
  catalogue: Catalogue,
  apps: AppNames,
): Promise<readonly UnmanagedObject[]> {
  const pointed = found.flatMap((object) => pointersIn(specOf(kind, object), kind.shape));
  const calledBy = await callAll(pointed, catalogue, apps);
  return Promise.all(
    found.map(async (object): Promise<UnmanagedObject> => {
      const { called, app } = await nameless(kind, object, "", catalogue);
      const spec = { ...identityOf(kind, object.key), ...authored(object.fields, kind.shape).fields };
      const fields = Object.entries(withReferences(spec, kind, calledBy).spec).filter(
        ([name]) => !kind.shape.identity.includes(name),
      );
      return {
        key: object.key,
        name: called.find((name) => name !== "") ?? "",
        app: app === null || object.key.length === 1 ? null : app.name === "" ? app.id : app.name,
        lines: snippetOf(Object.fromEntries(fields)),
      };
    }),
  );
}

/** Only the names of apps, whose list is read anyway. */
function namingApps(catalogue: Catalogue): Catalogue {
  return {
    ...catalogue,
    every: async (of, app) => (of === "app" ? catalogue.every(of, app) : null),
    find: async (pointed) => (pointed.of === "app" ? catalogue.find(pointed) : undefined),
  };
}
