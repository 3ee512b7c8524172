import { recall } from "../../apply/recall.js";
import { clientOf, type Session } from "../../apply/session.js";
import { callAll } from "../../author/called.js";
import { manuscript, specOf } from "../../author/manuscript.js";
import { newNames } from "../../author/newNames.js";
import { pointersIn } from "../../author/pointers.js";
import { kinds } from "../../kinds/index.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { normalise } from "../../kinds/normalise.js";
import { NO_CONTEXTS } from "../../manifest/contexts.js";
import { loadProject, type ProjectLoad } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { globbed } from "../../model/glob.js";
import type { JsonObject } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import type { Request } from "../../plan/request.js";
import { nearest, nearestInWords } from "../../schema/didYouMean.js";
import { EVERY_OBJECT } from "../../tenant/inventory.js";
import { resolveAll } from "../../tenant/names/resolveAll.js";
import { type LiveOrigin, openLive } from "../../tenant/origin.js";
import type { Reader, UnknownRead } from "../../tenant/reader.js";
import { makeRowFilter } from "../../tenant/rowFilter.js";
import { makeTenant } from "../../tenant/tenant.js";
import { readLists, whyUnread } from "../../tenant/wholeObject.js";
import { say } from "../../words/say.js";
import { appsOf } from "../get/chosenApps.js";
import { type ImportChoice, isChosen, isNamed, keysOf, withWholeKeys } from "./chosen.js";
import { type Manuscript, type Refused, withEmptyPlan } from "./emptyPlan.js";
import { type Gone, type LeftOut, objectsOf } from "./leftOut.js";

/** What an import is asked for with. */
interface ImportRequest {
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
  /** Manifests with a name that leads to nothing, so that remit cannot say which object each describes. */
  readonly incomparable: readonly Incomparable[];
  /** The kinds that were looked for. */
  readonly kinds: readonly string[];
  /** Optional lists that could not be read. */
  readonly unknown: readonly UnknownRead[];
}

/** A manifest that cannot be compared with the tenant, and why. */
interface Incomparable {
  readonly resource: Resource;
  readonly why: string;
}

/**
 * Manifests for what the tenant has and no manifest of the project describes. Reads everything, and gives only manifests
 * whose plan is empty. Writes nothing, neither to the tenant nor to the store. Null where nothing could be looked for.
 */
export async function importObjects(
  order: ImportRequest,
  session: Session,
): Promise<Checked<Imported | null>> {
  const { request, progress } = order;
  const client = clientOf(session);
  client.signIn();
  const tenant = makeTenant(client, { keepsAll: true });
  const recalled = await recall(session, request);
  const project = await loadProject(request.project.manifests);
  // A project without manifests is what an import begins with.
  const faults = project.diagnostics
    .map(({ diagnostic }) => diagnostic)
    .filter(({ code }) => code !== "manifest/none");
  const before = [...recalled.diagnostics, ...faults];
  if (hasErrors(before)) return { value: null, diagnostics: before };

  const origin = openLive({
    asked: request.tenant.interface,
    tenant,
    snapshot: recalled.value.snapshot,
    apps: request.project.manifests.apps ?? {},
    progress,
  });
  const { reader, catalogue } = origin;
  const choice = await withWholeKeys(order.choice, reader);
  const described = await resolveAll(project.resources, origin);
  const within = await appsOf(choice.apps, catalogue);
  const { incomparable, excused } = namingGone(project.resources, described.value.mistaken);
  const others = described.diagnostics.filter((diagnostic) => !excused.has(diagnostic));
  const known = [...before, ...others, ...within.diagnostics];
  if (hasErrors(known)) return { value: null, diagnostics: known };

  const chosen = kinds.filter((kind) => isChosen(kind, choice));
  const filter = makeRowFilter(choice.where);
  const fits = choice.where.length === 0 ? null : filter.fits;
  const isEverything = choice.patterns.length === 0 && choice.limit === null;
  const all = await Promise.all(
    chosen.map(async (kind) => {
      // The names that a manifest may need are read while objects are: a list of names is a chain of pages.
      const met = (object: Observed) => {
        if (isEverything)
          for (const one of pointersIn(specOf(kind, object), kind.shape)) void catalogue.find(one);
      };
      const named = keysOf(kind, choice);
      const isNamedOnly = choice.objects !== null;
      const scope = { ...EVERY_OBJECT, apps: within.value, named, isNamedOnly, fits, met };
      return objectsOf(kind, scope, origin, described.value.desired);
    }),
  );
  const [unknown] = filter.unknown();
  if (unknown !== undefined)
    return { value: null, diagnostics: [...known, noField(unknown, filter.fields())] };
  const diagnostics = [...known, ...all.flatMap((one) => one.diagnostics)];
  const manuscripts: Manuscript[] = [];
  let left = MOST_LISTED;
  const names: Address[] = project.resources.map(({ address }) => address);
  for (const { kind, found } of all) {
    const made = await manuscriptsOf(kind, found, { ...order, choice, left }, origin, project.resources);
    left = Math.max(0, left - (hasLists(kind) ? made.manuscripts.length : 0));
    diagnostics.push(...made.diagnostics);
    for (const name of made.names) names.push(name);
    for (const one of made.manuscripts) manuscripts.push(one);
  }
  const idle = choice.patterns.filter(
    (pattern) =>
      pattern.name !== "*" &&
      !names.some(({ kind, name }) => kind === pattern.kind && globbed(pattern.name, name)),
  );
  diagnostics.push(...idle.map((pattern) => nothingFits(pattern, names)));
  const recalledNow = recalled.value;
  const checked = await withEmptyPlan(manuscripts, request, recalledNow, tenant);
  const leftOut = [...all.flatMap((one) => one.leftOut), ...checked.value.refused.map(unwritable)];
  return {
    value: {
      manifests: checked.value.kept,
      leftOut,
      gone: all.flatMap(({ gone }) => gone).filter(({ resource }) => isNamed(resource.address, choice)),
      incomparable,
      kinds: chosen.map(({ name }) => name),
      unknown: reader.unknown(),
    },
    diagnostics: [...diagnostics, ...checked.diagnostics],
  };
}

/** The resources whose only mistake is that they name what is gone, and the diagnostics of those mistakes. */
function namingGone(resources: readonly Resource[], mistaken: ReadonlyMap<string, readonly Diagnostic[]>) {
  const incomparable: Incomparable[] = [];
  const excused = new Set<Diagnostic>();
  for (const resource of resources) {
    const mistakes = mistaken.get(formatAddress(resource.address)) ?? [];
    const [first] = mistakes;
    if (first === undefined || !mistakes.every(({ code }) => code === "reference/not-found")) continue;
    incomparable.push({ resource, why: first.message });
    for (const one of mistakes) excused.add(one);
  }
  return { incomparable, excused };
}

/** The manifests of some objects: named, chosen by name, and written. */
async function manuscriptsOf(
  kind: Kind,
  objects: readonly Observed[],
  { choice, taken, schema, request, left }: ImportRequest & { readonly left: number },
  { catalogue, apps, reader }: LiveOrigin,
  resources: readonly Resource[],
): Promise<{
  readonly manuscripts: readonly Manuscript[];
  readonly names: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const known = new Map(
    (choice.objects ?? []).map((object) => [formatKey(object.kind, object.key), object] as const).reverse(),
  );
  const knownOf = ({ key }: Observed) => known.get(formatKey(kind.name, key));
  const used = resources
    .filter(({ address }) => address.kind === kind.name)
    .map(({ address }) => address.name);
  const { names, own } = await newNames(kind, objects, {
    givenTo: (object) => knownOf(object)?.called ?? "",
    taken: new Set([...used, ...taken(kind.name)]),
    catalogue,
  });
  const wanted = objects
    .map((object, place) => ({ object, name: names[place] ?? "", app: own[place]?.app ?? null }))
    .filter(({ name }) => isNamed({ kind: kind.name, name }, choice))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, choice.limit ?? Number.POSITIVE_INFINITY);
  const { objects: named, diagnostics } = await withListedParts(kind, wanted, reader, left);
  const pointed = named.flatMap(({ object }) => pointersIn(specOf(kind, object), kind.shape));
  const calledBy = await callAll(pointed, catalogue, apps);
  const manuscripts = named.map(({ object, name, app }) => ({
    kind: kind.name,
    name,
    key: object.key,
    app,
    text: manuscript(kind, { ...object, unseen: knownOf(object)?.unseen ?? {} }, name, {
      calledBy,
      schema: schema(kind.name),
      ...ofContext(request.project.manifests),
    }),
  }));
  return { manuscripts, names: names.map((name) => ({ kind: kind.name, name })), diagnostics };
}

/** What one of several tenants contains is of that tenant: another one would create it. */
function ofContext({ contexts }: Pick<ProjectLoad, "contexts">): { readonly contexts?: readonly string[] } {
  const { names, current } = contexts ?? NO_CONTEXTS;
  return current === null || names.length < 2 ? {} : { contexts: [current] };
}

/** A pattern of names that fits no object with a manifest, and none that could have one. */
function nothingFits({ kind, name }: Address, names: readonly Address[]): Diagnostic {
  const own = names.filter((one) => one.kind === kind).map((one) => one.name);
  return say(own.length === 0 ? "command/nothing-fits#none" : "command/nothing-fits#some", {
    address: { kind, name },
    near: nearestInWords(name.replaceAll("*", ""), own),
  });
}

function noField(field: string, fields: readonly string[]): Diagnostic {
  const near = nearest(field, fields).slice(0, MOST_NAMED);
  const rest = fields.length - near.length;
  return say(near.length === 0 ? "command/no-such-field#none" : "command/no-such-field#some", {
    field,
    near,
    more: rest > 0 ? ` and ${rest} more` : "",
  });
}

const MOST_NAMED = 10;

function unwritable({ manuscript: { kind, key }, why }: Refused): LeftOut {
  return { kind, key, because: "unwritable", detail: why, name: "" };
}

/** An import reads the lists of so many objects: it does not take hours over a large tenant. */
const MOST_LISTED = 500;

/** Whether objects of a kind have parts with lists of their own. */
function hasLists({ reads: { parts = [] } }: Kind): boolean {
  return parts.some(({ as }) => as === "lists");
}

/** An object with its parts that have lists of their own. */
interface Listed<T> {
  readonly objects: readonly T[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Objects with the parts that take calls of their own, for so many of them at most. Where the first cannot be read, the
 * others are not asked for.
 */
async function withListedParts<T extends { readonly object: Observed }>(
  kind: Kind,
  objects: readonly T[],
  reader: Reader,
  most: number,
): Promise<Listed<T>> {
  let listed: Listed<T> = { objects, diagnostics: [] };
  for (const part of kind.reads.parts ?? []) {
    if (part.as !== "lists" || objects.length === 0) continue;
    const { field, noun } = part;
    const values = { parts: noun, nouns: kind.noun.many, field };
    const told = (diagnostic: Diagnostic) => {
      listed = { ...listed, diagnostics: [...listed.diagnostics, diagnostic] };
    };
    const read = async ({ object: { key } }: T): Promise<JsonObject | string> => {
      const fetched = await readLists(kind, part, key, reader, "optional");
      if (fetched.as === "got") return normalise({ [field]: fetched.value }, kind.shape);
      return whyUnread(fetched) ?? ("why" in fetched ? fetched.why : "");
    };
    const [first, ...rest] = objects.slice(0, most);
    const one = first === undefined ? {} : await read(first);
    const all = typeof one === "string" ? [one] : [one, ...(await Promise.all(rest.map(read)))];
    const why = all.find((each) => typeof each === "string");
    if (why !== undefined) told(say("command/import-parts#unread", { ...values, why }));
    if (typeof one !== "string" && objects.length > most) {
      const count = objects.length - most;
      const calls = part.calls([]).length;
      told(
        say("command/import-parts#bounded", { ...values, most: MOST_LISTED, calls, count, kind: kind.name }),
      );
    }
    const objectsNow = listed.objects.map((each, at) => {
      const fields = all[at];
      if (fields === undefined || typeof fields === "string") return each;
      return { ...each, object: { ...each.object, fields: { ...each.object.fields, ...fields } } };
    });
    listed = { ...listed, objects: objectsNow };
  }
  return listed;
}
