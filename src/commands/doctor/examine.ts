import { kinds } from "../../kinds/index.js";
import type { AskedInterface } from "../../kinds/interface.js";
import type { Trail } from "../../kinds/inventory.js";
import type { Kind, Writers } from "../../kinds/kind.js";
import { REFERABLE } from "../../kinds/lookups.js";
import { type EntitlementRef, introspection, ownerIn } from "../../kinds/people.js";
import { listOfApps } from "../../kinds/referable.js";
import { type Call, formatCallPath } from "../../model/call.js";
import { isObject, type Json } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { Client } from "../../tenant/client/client.js";
import type { Failed, Fetched } from "../../tenant/fetched.js";
import type { Reader } from "../../tenant/reader.js";
import { makeTenant } from "../../tenant/tenant.js";
import { type Feature, type FeatureRead, featuresOf, type Samples } from "./feature.js";

/** What the service answered to one read. */
export type ReadAnswer =
  | "yes"
  /** It refuses these credentials. */
  | "refused"
  /** It has no such path. */
  | "not offered"
  | "failed";

/** One read, and what came of it. */
interface ExaminedRead {
  readonly shows: string;
  readonly isRequired: boolean;
  /** As `GET /api/v1/apps`. */
  readonly call: string;
  readonly answer: ReadAnswer;
  /** What the service said; null where the answer is yes. */
  readonly why: string | null;
  /** What happens without it. */
  readonly without: string;
}

/** A feature, and whether it works with these credentials. */
export interface ExaminedFeature {
  readonly name: string;
  /** Those that could be tried: a read of an object needs one. */
  readonly reads: readonly ExaminedRead[];
  /** Null where the feature writes nothing. */
  readonly write: MayWrite | null;
}

/** Whose credentials these are, as the service says. */
interface Holder {
  /** The user's id; null where it does not say. */
  readonly user: string | null;
  /** The user's e-mail address; null where users cannot be looked up. */
  readonly email: string | null;
  readonly roles: readonly string[];
}

/** What the credentials may do; null features where the service cannot be reached or refuses the credentials. */
export interface Examination {
  readonly identity: Holder | null;
  readonly features: readonly ExaminedFeature[] | null;
  /** Why nothing could be tried, and what to do; null where it could. */
  readonly why: string | null;
  readonly next: string | null;
}

/** What is examined: the interface, the state, and the names of the kinds that the project uses; all kinds where it uses none. */
interface Examined {
  readonly asked: AskedInterface;
  readonly snapshot: Snapshot | null;
  readonly used: ReadonlySet<string>;
}

/** Whether objects of a kind may be written, as far as roles tell. */
interface MayWrite {
  readonly answer: "by role" | "own by role" | "not by role" | "unknown";
  readonly why: string;
}

/**
 * Tries one read of each sort that remit makes, and writes nothing. What may be written follows from the roles, because
 * only a write could show it.
 */
export async function examine(
  client: Client,
  { asked, snapshot, used }: Examined,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<Examination> {
  client.signIn();
  const reader = makeTenant(client).reader(progress);
  const introspected = await reader.one("credentials", introspection(), "probe");
  if (introspected.as === "failed" && hasNoService(introspected)) return unusable(introspected);
  if (introspected.as === "failed" && introspected.trouble === "unauthenticated") {
    // A second read: a service may refuse one path so.
    const apps = await reader.firstPage("apps", listOfApps(), "sparing");
    if (apps.as === "failed" && apps.trouble === "unauthenticated") return unusable(apps);
  }
  const identity = await identityIn(introspected, reader);
  const features: ExaminedFeature[] = [];
  const ask = askingOnce(reader);
  const needed = used.size === 0 ? kinds : kinds.filter(({ name }) => used.has(name));
  const samples = await samplesOf(reader, snapshot, needed);
  for (const feature of featuresOf(needed, asked))
    features.push(await tryOut(feature, samples, ask, identity));
  return { identity, features, why: null, next: null };
}

/** A tenant that nothing can be tried on. */
function unusable({ diagnostic }: Failed): Examination {
  return { identity: null, features: null, why: diagnostic.message, next: diagnostic.hint ?? null };
}

/** Whether no other read can go better. */
function hasNoService({ trouble }: Extract<Fetched<Json>, { as: "failed" }>): boolean {
  return trouble === "unreachable" || trouble === "credentials";
}

async function identityIn(fetched: Fetched<Json>, reader: Reader): Promise<Holder | null> {
  if (fetched.as !== "got") return null;
  const roles = isObject(fetched.value) && Array.isArray(fetched.value.roles) ? fetched.value.roles : [];
  const user = ownerIn(fetched.value) ?? null;
  const { byId, row } = REFERABLE.user.list;
  const found =
    user === null ? null : await reader.all("users", byId.call([{ app: "", id: user }]), "sparing");
  const [one] = found?.as === "got" ? found.value.flatMap((each) => row(each) ?? []) : [];
  return {
    user,
    email: one === undefined || one.email === "" ? null : (one.email ?? null),
    roles: roles.filter((role) => typeof role === "string"),
  };
}

/** Sends one read of a feature. */
type Ask = (read: FeatureRead, call: Call) => Promise<Fetched<unknown>>;

/** Two features may need the same object: it is read once. The reader keeps the pages of lists. */
function askingOnce(reader: Reader): Ask {
  const objects = new Map<string, Promise<Fetched<unknown>>>();
  return ({ shows, isList }, call) => {
    if (isList) return reader.firstPage(shows, call, "sparing");
    const place = inWords(call);
    const asked = objects.get(place) ?? reader.one(shows, call, "sparing");
    objects.set(place, asked);
    return asked;
  };
}

async function tryOut(
  { name, reads, writes }: Feature,
  samples: Samples,
  ask: Ask,
  identity: Holder | null,
): Promise<ExaminedFeature> {
  const examined = await Promise.all(reads.map((read) => tryRead(read, samples, ask)));
  const write = writes === null ? null : mayWrite(writes.writers, identity?.roles ?? []);
  return { name, reads: examined.filter((read) => read !== null), write };
}

/** Null where no object was seen that it could be tried with. */
async function tryRead(read: FeatureRead, samples: Samples, ask: Ask): Promise<ExaminedRead | null> {
  const { shows, isRequired, without } = read;
  const call = read.call(samples);
  if (call === null) return null;
  const { answer, why } = answerIn(await ask(read, call));
  return { shows, isRequired, call: inWords(call), answer, why, without };
}

/** An object that is gone was looked up, so it may be read. */
function answerIn(fetched: Fetched<unknown>): Pick<ExaminedRead, "answer" | "why"> {
  if (fetched.as === "got" || fetched.as === "absent") return { answer: "yes", why: null };
  if (fetched.as === "not offered") return { answer: "not offered", why: fetched.why };
  const isRefused = fetched.diagnostic.code === "service/not-allowed";
  return { answer: isRefused ? "refused" : "failed", why: fetched.diagnostic.message };
}

function inWords(call: Call): string {
  return `${call.method} ${formatCallPath(call)}`;
}

/**
 * Objects to try the reads with: of the state, else the first that the lists show. Beside the kinds that are needed, reads about
 * people need a rule.
 */
async function samplesOf(
  reader: Reader,
  snapshot: Snapshot | null,
  needed: readonly Kind[],
): Promise<Samples> {
  const apps = await firstOf(reader, listOfApps(), (row) => REFERABLE.app.list.row(row)?.id ?? null);
  const recorded = Object.values(snapshot?.entries ?? {});
  const keys = new Map<string, Key>();
  for (const kind of kinds.filter((one) => needed.includes(one) || one.concern.as === "members")) {
    const known = recorded.find(({ address }) => address.kind === kind.name)?.key;
    const key = known ?? (await listedKey(kind, apps, reader));
    if (key !== null) keys.set(kind.name, key);
  }
  const app = apps[0] ?? null;
  const { call, row } = REFERABLE.entitlement.list;
  const [entitlement] = await inSomeApp(apps, (id) =>
    firstOf(reader, call(id), (one) => entitlementOf(id, row(one)?.id)),
  );
  return {
    app,
    entitlement: entitlement ?? null,
    ruled: ruledAmong(keys),
    object: (kind) => keys.get(kind) ?? null,
  };
}

function entitlementOf(appId: string, id: string | undefined): EntitlementRef | null {
  return id === undefined ? null : { appId, id };
}

/** The entitlement that the first known rule is about. */
function ruledAmong(keys: ReadonlyMap<string, Key>): EntitlementRef | null {
  for (const { name, concern } of kinds) {
    const key = keys.get(name);
    if (concern.as === "members" && key !== undefined) return concern.entitlement(key);
  }
  return null;
}

async function listedKey(
  { inventory, reads }: Kind,
  apps: readonly string[],
  reader: Reader,
): Promise<Key | null> {
  for (const { per, call, keys, shows, ofOne } of inventory.trails) {
    const places = per === "tenant" ? [""] : ofOne === undefined ? apps : await oneOf(ofOne, reader);
    const [key] = await inSomeApp(places, (app) =>
      firstOf(reader, call(app), (row) =>
        shows === "the object" ? (reads.list?.row(row, [app])?.key ?? null) : (keys(row, app)[0] ?? null),
      ),
    );
    if (key !== undefined) return key;
  }
  return null;
}

/** The one app that has such objects, as far as the first page of the list of apps shows it. */
async function oneOf(find: NonNullable<Trail["ofOne"]>, reader: Reader): Promise<readonly string[]> {
  const fetched = await reader.firstPage("samples", listOfApps(), "sparing");
  const app = fetched.as === "got" ? find(fetched.value) : null;
  return app === null ? [] : [app];
}

/** So many apps are looked through for one object. */
const MOST_APPS = 5;

async function inSomeApp<T>(apps: readonly string[], find: (app: string) => Promise<readonly T[]>) {
  for (const app of apps.slice(0, MOST_APPS)) {
    const found = await find(app);
    if (found.length > 0) return found;
  }
  return [];
}

/** What the first page of a list shows; nothing where it cannot be read. */
async function firstOf<T>(reader: Reader, call: Call, read: (row: Json) => T | null): Promise<readonly T[]> {
  const fetched = await reader.firstPage("samples", call, "sparing");
  if (fetched.as !== "got") return [];
  return fetched.value.map(read).filter((one) => one !== null);
}

/** What some roles may write, by what the documentation says about the roles of that name. */
export function mayWrite(writers: Writers | null, roles: readonly string[]): MayWrite {
  if (writers === null) return unknown("the documentation names no role for it");
  const needed = [...writers.every, ...writers.own.map((role) => `${role} (its own objects)`)].join(" or ");
  if (roles.length === 0) return unknown(`the service does not show the roles; it takes ${needed}`);
  const every = roles.find((role) => fits(role, writers.every));
  if (every !== undefined) return { answer: "by role", why: `by the role ${every}` };
  const own = roles.find((role) => fits(role, writers.own));
  if (own !== undefined)
    return { answer: "own by role", why: `by the role ${own}, only the objects that it owns` };
  const known = roles.every((role) => /[a-z]-[a-z]/i.test(role));
  const held = roles.join(", ");
  return known
    ? { answer: "not by role", why: `it takes ${needed}, and the roles are ${held}` }
    : unknown(`it takes ${needed}, and remit does not know the roles ${held}`);
}

/** Whether the last part of a role's name is one of the names: `system/role:super-admin` is Super Admin. */
function fits(role: string, names: readonly string[]): boolean {
  const last = bare(role.split(/[/:]/).at(-1) ?? "");
  return names.some((name) => bare(name) === last);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function unknown(why: string): MayWrite {
  return { answer: "unknown", why };
}
