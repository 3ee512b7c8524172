import { callAll } from "../author/called.js";
import { identityOf, manuscript, specOf } from "../author/manuscript.js";
import { nameAll } from "../author/naming.js";
import { pointersIn } from "../author/pointers.js";
import { type Catalogue, makeCatalogue, type PointedAt } from "../current/catalogue.js";
import { hasApp } from "../current/inventory.js";
import { openOrigin } from "../current/origin.js";
import type { UnknownRead } from "../current/remote.js";
import { resolveAll } from "../current/resolveAll.js";
import { kinds } from "../kinds/index.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { loadProject } from "../manifest/project.js";
import type { Resource } from "../manifest/resource.js";
import type { Address } from "../model/address.js";
import { type Checked, hasErrors } from "../model/diagnostic.js";
import { globbed } from "../model/glob.js";
import type { JsonObject } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Request } from "../reconcile.js";
import { appsOf } from "./chosenApps.js";
import { type Manuscript, type Refused, unchanging } from "./proofread.js";
import { recall } from "./recall.js";
import { remembering } from "./remember.js";
import type { Session } from "./session.js";
import { type Gone, type LeftOut, type StockScope, stockOf } from "./stock.js";

/** Which objects are imported. */
export interface ImportChoice {
  /** Kinds, and for each the patterns that its names may fit; empty for every kind. */
  readonly patterns: readonly { readonly kind: string; readonly name: string }[];
  /** Ids or names of apps; empty for every app. */
  readonly apps: readonly string[];
  /** Ids of templates that no list may show. */
  readonly templates: readonly string[];
  readonly limit: number | null;
  /** The only objects to import, where another tool lists them; null for what the tenant's lists lead to. */
  readonly objects: readonly KnownObject[] | null;
}

/** An object that another tool lists: its key, and what that tool knows of it. */
export interface KnownObject {
  readonly kind: string;
  readonly key: Key;
  /** What the object is called there; its new name. */
  readonly called: string;
  /** Fields that no read of the service shows. */
  readonly unseen: JsonObject;
}

/** What an import is asked for with. */
export interface ImportRequest {
  readonly request: Request;
  readonly choice: ImportChoice;
  /** The names that a new manifest of a kind cannot have, because a file has them. */
  readonly taken: (kind: string) => ReadonlySet<string>;
  /** Where a new manifest of a kind finds its schema; null for nowhere. */
  readonly schema: (kind: string) => string | null;
  readonly progress: (done: number, total: number) => void;
}

/** What an import came to: the manifests to write, and everything that has none. */
export interface Imported {
  readonly manifests: readonly Manuscript[];
  readonly leftOut: readonly LeftOut[];
  /** Manifests about objects that the tenant does not have. */
  readonly gone: readonly Gone[];
  /** The kinds that were looked for. */
  readonly kinds: readonly string[];
  /** Optional lists that could not be read. */
  readonly unknown: readonly UnknownRead[];
}

/**
 * Manifests for what the tenant has and no manifest of the project describes. Reads everything, and gives only manifests
 * whose plan is empty. Writes nothing, neither to the tenant nor to the store. Null where nothing could be looked for.
 */
export async function importObjects(
  order: ImportRequest,
  session: Session,
): Promise<Checked<Imported | null>> {
  const { request, choice, progress } = order;
  if (session.client === null) throw new Error("an import needs a client");
  const client = remembering(session.client);
  client.signIn();
  const recalled = await recall({ ...session, client }, request.interface);
  const project = await loadProject(request.manifests);
  // A project without manifests is what an import begins with.
  const faults = project.diagnostics
    .map(({ diagnostic }) => diagnostic)
    .filter(({ code }) => code !== "manifest/none");
  const before = [...recalled.diagnostics, ...faults];
  if (hasErrors(before)) return { value: null, diagnostics: before };

  const apps = request.manifests.apps ?? {};
  const origin = openOrigin({
    kinds,
    asked: request.interface,
    remote: client,
    snapshot: recalled.value.snapshot,
    apps,
    progress,
  });
  const { reader } = origin;
  if (reader === null) throw new Error("an import needs a reader");
  const described = await resolveAll(project.resources, origin);
  const catalogue = makeCatalogue(reader);
  const within = await appsOf(choice.apps, catalogue);
  const known = [...before, ...described.diagnostics, ...within.diagnostics];
  if (hasErrors(known)) return { value: null, diagnostics: known };

  const chosen = kinds.filter((kind) => isChosen(kind, choice));
  const stocks = await Promise.all(
    chosen.map((kind) => stockOf(kind, scopeOf(kind, choice, within.value), origin, described.value.desired)),
  );
  const diagnostics = [...known, ...stocks.flatMap((stock) => stock.diagnostics)];
  const manuscripts: Manuscript[] = [];
  for (const { kind, found } of stocks) {
    for (const manuscript of await draftsOf(kind, found, order, catalogue, apps, project.resources))
      manuscripts.push(manuscript);
  }
  const recalledNow = recalled.value;
  const proofread = await unchanging(manuscripts, request, recalledNow, client);
  const leftOut = [...stocks.flatMap((stock) => stock.leftOut), ...proofread.value.refused.map(unwritable)];
  return {
    value: {
      manifests: proofread.value.kept,
      leftOut,
      gone: stocks.flatMap(({ gone }) => gone).filter(({ resource }) => isNamed(resource.address, choice)),
      kinds: chosen.map(({ name }) => name),
      unknown: reader.unknown(),
    },
    diagnostics: [...diagnostics, ...proofread.diagnostics],
  };
}

function isChosen(kind: Kind, choice: ImportChoice): boolean {
  const { patterns, apps, objects } = choice;
  if (objects !== null && keysOf(kind, choice).length === 0) return false;
  if (patterns.length > 0) return patterns.some((pattern) => pattern.kind === kind.name);
  return apps.length === 0 || hasApp(kind);
}

/** Whether a name fits a pattern, where there are any. */
function isNamed({ kind, name }: Address, { patterns }: ImportChoice): boolean {
  return (
    patterns.length === 0 || patterns.some((pattern) => pattern.kind === kind && globbed(pattern.name, name))
  );
}

/** What of a kind is looked for. */
function scopeOf(kind: Kind, choice: ImportChoice, apps: ReadonlySet<string> | null): StockScope {
  return { apps, named: keysOf(kind, choice), isNamedOnly: choice.objects !== null, fits: null };
}

/** The keys that another tool or the command line names of a kind. */
function keysOf(kind: Kind, choice: ImportChoice): readonly Key[] {
  const listed = (choice.objects ?? []).filter((object) => object.kind === kind.name);
  return [...listed.map(({ key }) => key), ...namedBy(kind, choice)];
}

/** The keys that a command line names of a kind. */
function namedBy({ shape }: Kind, { templates }: ImportChoice): readonly Key[] {
  const [first = "", ...rest] = shape.identity;
  const field = shape.fields.get(first);
  const isOfTemplate = field?.type === "string" && field.form.is === "id" && field.form.of === "template";
  return isOfTemplate && rest.length === 0 ? templates.map((id) => [id]) : [];
}

/** The manifests of some objects: named, chosen by name, and written. */
async function draftsOf(
  kind: Kind,
  objects: readonly Observed[],
  { choice, taken, schema }: ImportRequest,
  catalogue: Catalogue,
  apps: Readonly<Record<string, string>>,
  resources: readonly Resource[],
): Promise<readonly Manuscript[]> {
  const known = new Map(
    (choice.objects ?? []).map((object) => [formatKey(object.kind, object.key), object] as const).reverse(),
  );
  const knownOf = ({ key }: Observed) => known.get(formatKey(kind.name, key));
  const own = await Promise.all(
    objects.map((object) => nameless(kind, object, knownOf(object)?.called ?? "", catalogue)),
  );
  const used = resources
    .filter(({ address }) => address.kind === kind.name)
    .map(({ address }) => address.name);
  const names = nameAll(kind.name, own, new Set([...used, ...taken(kind.name)]));
  const named = objects
    .map((object, place) => ({ object, name: names[place] ?? "" }))
    .filter(({ name }) => isNamed({ kind: kind.name, name }, choice))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, choice.limit ?? Number.POSITIVE_INFINITY);
  const pointed = named.flatMap(({ object }) => pointersIn(specOf(kind, object), kind.shape));
  const calledBy = await callAll(pointed, catalogue, apps);
  return named.map(({ object, name }) => ({
    kind: kind.name,
    name,
    key: object.key,
    text: manuscript(kind, { ...object, unseen: knownOf(object)?.unseen ?? {} }, name, {
      calledBy,
      schema: schema(kind.name),
    }),
  }));
}

/**
 * What an object may be called: as another tool calls it, its own display name, or the names of what its key ends in. Its
 * app tells it from others.
 */
export async function nameless(kind: Kind, { key, fields }: Observed, given: string, catalogue: Catalogue) {
  const pointers: readonly PointedAt[] = pointersIn(identityOf(kind, key), kind.shape);
  const display = typeof fields.displayName === "string" ? fields.displayName : "";
  const last = pointers.at(-1);
  const target = last === undefined || given + display !== "" ? undefined : await catalogue.find(last);
  const app = pointers.find(({ of }) => of === "app");
  const context = app === undefined ? undefined : await catalogue.find(app);
  return {
    called: [given, display, target?.alias ?? "", target?.name ?? ""],
    context: context?.name ?? "",
    id: key.join("-"),
  };
}

function unwritable({ manuscript: { kind, key }, why }: Refused): LeftOut {
  return { kind, key, because: "unwritable", detail: why };
}
