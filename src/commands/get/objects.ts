import { clientOf, type Session } from "../../apply/session.js";
import { callAll } from "../../author/called.js";
import { manuscript, specOf } from "../../author/manuscript.js";
import { newNames } from "../../author/newNames.js";
import { pointersIn } from "../../author/pointers.js";
import { kinds } from "../../kinds/index.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { madeByPeople } from "../../kinds/settings.js";
import { loadProject } from "../../manifest/project.js";
import { type Address, byAddress } from "../../model/address.js";
import { type Checked, hasErrors } from "../../model/diagnostic.js";
import { globbed, isPattern } from "../../model/glob.js";
import { same } from "../../model/json.js";
import { formatKey, type Key } from "../../model/key.js";
import type { Request } from "../../plan/request.js";
import { holdersIn } from "../../state/names.js";
import type { Snapshot } from "../../state/snapshot.js";
import { StateError } from "../../state/store.js";
import { parentOf } from "../../tenant/desire.js";
import { setByPeople } from "../../tenant/given.js";
import type { Desired } from "../../tenant/known.js";
import { resolveAll } from "../../tenant/names/resolveAll.js";
import { type LiveOrigin, openLive } from "../../tenant/origin.js";
import type { UnknownRead } from "../../tenant/reader.js";
import { makeTenant } from "../../tenant/tenant.js";
import { findObjects, type ObjectChoice, type Spotted } from "./findObjects.js";
import { type ListChoice, listNamed, type NamedList } from "./namedList.js";
import { type AttributeValues, countValues } from "./values.js";

/** What of the tenant is asked for. */
export interface GetChoice {
  readonly objects: readonly ObjectChoice[];
  readonly lists: readonly ListChoice[];
  /** Attributes of users whose values are counted; null for each that a user has. */
  readonly values: readonly (string | null)[];
}

/** What a get is asked for with. */
interface GetRequest {
  readonly request: Request;
  readonly choice: GetChoice;
  readonly progress: (done: number, total: number) => void;
}

/** One object of the tenant, as far as a line shows it. */
export interface GotObject {
  readonly address: Address;
  readonly observed: Observed;
  /** Whether a manifest of the project is about it. */
  readonly isDescribed: boolean;
  /** Why remit leaves it alone; null where it does not. */
  readonly note: string | null;
}

/** What the tenant contains. */
export interface Got {
  readonly objects: readonly GotObject[];
  readonly lists: readonly NamedList[];
  readonly values: readonly AttributeValues[];
  /** Optional lists that could not be read. */
  readonly unknown: () => readonly UnknownRead[];
  /** The objects as manifests, some at a time: references where they are sure, and comments for what they cannot say. */
  texts(): AsyncIterable<string>;
}

/** So many objects are written at once. */
const AT_ONCE = 500;

/**
 * Reads what the tenant contains. Writes nothing, neither to the tenant nor to the store. Null where a choice means
 * nothing; where something could not be read, the diagnostics say so and the rest is there.
 */
export async function getObjects(
  { request, choice, progress }: GetRequest,
  session: Session,
): Promise<Checked<Got | null>> {
  const client = clientOf(session);
  client.signIn();
  const needsProject = choice.objects.length > 0;
  const { value: snapshot, diagnostics: warnings } = await remembered(needsProject ? session : null);
  const origin = openLive({
    asked: request.tenant.interface,
    tenant: makeTenant(client),
    snapshot,
    apps: request.project.manifests.apps ?? {},
    progress,
  });
  const { reader } = origin;
  // What is wrong with a manifest does not matter here: the tenant is asked, not the author.
  const project = needsProject ? await loadProject(request.project.manifests) : null;
  const sources = { ...origin, resources: project?.resources ?? [] };

  const listed = await Promise.all(choice.lists.map((one) => listNamed(one, sources)));
  const found = await Promise.all(choice.objects.map((one) => findObjects(withoutPattern(one), sources)));
  const counted = await countValues(choice.values, reader);
  const all = [...listed, ...found, ...(choice.values.length === 0 ? [] : [counted])];
  const diagnostics = [...warnings, ...all.flatMap((one) => one.diagnostics)];
  const isNothing = all.every(({ value }) => value === null);
  if (isNothing && hasErrors(diagnostics)) return { value: null, diagnostics };

  const every = unique(found.flatMap(({ value }) => value ?? []));
  const desired = every.length === 0 ? [] : (await resolveAll(sources.resources, origin)).value.desired;
  const objects = chosenOf(await named(every, desired, origin), choice.objects, found);
  return {
    value: {
      objects,
      lists: listed.flatMap(({ value }) => value ?? []),
      values: counted.value ?? [],
      unknown: () => reader.unknown(),
      texts: () => textsOf(objects, origin),
    },
    diagnostics,
  };
}

/** What the state says; it only names objects here, so a store that cannot be read is a warning. */
async function remembered(session: Session | null): Promise<Checked<Snapshot | null>> {
  if (session === null) return { value: null, diagnostics: [] };
  try {
    return { value: (await session.store.read()).snapshot, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { value: null, diagnostics: [{ ...error.diagnostic, severity: "warning" }] };
  }
}

/** Instead of a pattern, all of a kind: an object gets its name only beside all others of its kind. */
function withoutPattern(choice: ObjectChoice): ObjectChoice {
  return isPattern(choice.only) ? { ...choice, only: null } : choice;
}

/** The objects that a choice without a pattern led to, and those whose names fit one. */
function chosenOf(
  objects: readonly GotObject[],
  choices: readonly ObjectChoice[],
  found: readonly Checked<readonly Spotted[] | null>[],
): readonly GotObject[] {
  const outright = found.flatMap(({ value }, place) => {
    const choice = choices[place];
    return choice === undefined || isPattern(choice.only) ? [] : (value ?? []);
  });
  const kept = new Set(outright.map(({ kind, observed }) => formatKey(kind.name, observed.key)));
  const patterns = choices.filter(({ only }) => isPattern(only));
  return objects.filter(
    ({ address, observed: { key } }) =>
      kept.has(formatKey(address.kind, key)) ||
      patterns.some(({ kind, only }) => kind === address.kind && globbed(only ?? "", address.name)),
  );
}

/** Two choices may lead to one object. */
function unique(found: readonly Spotted[]): readonly Spotted[] {
  return [...new Map(found.map((one) => [formatKey(one.kind.name, one.observed.key), one])).values()];
}

/** The objects by their addresses: those of the manifests, of the state, or such as an import gives. */
async function named(
  found: readonly Spotted[],
  desired: readonly Desired[],
  origin: LiveOrigin,
): Promise<readonly GotObject[]> {
  const { snapshot, catalogue } = origin;
  const holders = [...holdersIn(Object.values(snapshot?.entries ?? {})).values()];
  const objects: GotObject[] = [];
  for (const kind of kinds) {
    const own = found.filter((one) => one.kind === kind);
    const ofKind = desired.filter(({ resource }) => resource.address.kind === kind.name);
    const held = holders.filter(({ address }) => address.kind === kind.name);
    const described = new Map([
      ...own.flatMap(({ observed }) => pair(kind, observed.key, keylessFor(kind, ofKind, observed))),
      ...ofKind.flatMap(({ key, resource }) => pair(kind, key, resource.address)),
    ]);
    const known = new Map(held.flatMap(({ key, address }) => pair(kind, key, address)));
    const nameOf = ({ observed: { key } }: Spotted) => {
      const place = formatKey(kind.name, key);
      return described.get(place) ?? known.get(place);
    };
    const open = own.filter((one) => nameOf(one) === undefined);
    const taken = [...described.values(), ...known.values()].map(({ name }) => name);
    const { names } = await newNames(
      kind,
      open.map(({ observed }) => observed),
      { givenTo: () => "", taken: new Set(taken), catalogue },
    );
    const given = new Map(open.map((one, at) => [one, { kind: kind.name, name: names[at] ?? "" }]));
    for (const one of own) {
      const address = nameOf(one) ?? given.get(one) ?? { kind: kind.name, name: "" };
      const isDescribed = described.has(formatKey(kind.name, one.observed.key));
      const note = isDescribed ? null : await noteOn(one, origin);
      objects.push({ address, observed: one.observed, isDescribed, note });
    }
  }
  return objects.sort(
    (one, other) =>
      standing(one) - standing(other) || rank(one) - rank(other) || byAddress(one.address, other.address),
  );
}

function pair(
  kind: Kind,
  key: Key | null,
  address: Address | undefined,
): readonly (readonly [string, Address])[] {
  return key === null || address === undefined ? [] : [[formatKey(kind.name, key), address]];
}

/** The address of the manifest without a key that describes an object. */
function keylessFor(kind: Kind, desired: readonly Desired[], observed: Observed): Address | undefined {
  return desired.find(
    ({ key, identity, fields }) =>
      key === null &&
      same(parentOf(kind, identity), observed.key.slice(0, -1)) &&
      kind.matches?.({ ...identity, ...fields }, observed) === true,
  )?.resource.address;
}

/** What manifests describe comes first, and what remit leaves alone comes last. */
function standing({ isDescribed, note }: GotObject): number {
  if (isDescribed) return 0;
  return note === null ? 1 : 2;
}

function rank({ address }: GotObject): number {
  return kinds.findIndex(({ name }) => name === address.kind);
}

async function noteOn(
  { kind, observed, isConnected }: Spotted,
  { catalogue, reader }: LiveOrigin,
): Promise<string | null> {
  const { managedBy } = observed;
  if (managedBy !== undefined) {
    const profile = await catalogue.find({ of: "accessProfile", app: "", id: managedBy });
    return `the access profile ${profile === undefined ? managedBy : JSON.stringify(profile.name)} manages it`;
  }
  if (kind.isBuiltIn?.(observed) === true)
    return observed.isConnected === true ? "the service made it" : "every app has it";
  const own = await setByPeople(kind, observed, isConnected, reader);
  return own === null ? "a connector makes it" : null;
}

/** Reads the names that some objects point at, and gives each object as a manifest. */
async function* textsOf(
  objects: readonly GotObject[],
  { catalogue, apps }: LiveOrigin,
): AsyncGenerator<string> {
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    const some = objects.slice(at, at + AT_ONCE).flatMap((one) => {
      const kind = kinds.find(({ name }) => name === one.address.kind);
      return kind === undefined ? [] : [{ kind, ...one }];
    });
    const pointed = some.flatMap(({ kind, observed }) => pointersIn(specOf(kind, observed), kind.shape));
    const calledBy = await callAll(pointed, catalogue, apps);
    for (const { kind, observed, address, note } of some) {
      const written = madeByPeople(observed) ?? observed;
      const text = manuscript(kind, { ...written, unseen: {} }, address.name, { calledBy, schema: null });
      yield note === null ? text : `# remit leaves this object alone: ${note}.\n${text}`;
    }
  }
}
