import { kindNamed } from "../../kinds/index.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { referable } from "../../kinds/referable.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { formatKey, type Key } from "../../model/key.js";
import { nearestInWords } from "../../schema/didYouMean.js";
import type { Target } from "../../schema/shape.js";
import { entriesNamed } from "../../state/names.js";
import { EVERY_OBJECT, hasApp, readInventory } from "../../tenant/inventory.js";
import { present, unseen } from "../../tenant/kindReads.js";
import type { Desired } from "../../tenant/known.js";
import { resolveAll } from "../../tenant/names/resolveAll.js";
import type { LiveOrigin } from "../../tenant/origin.js";
import { readWhole } from "../../tenant/wholeObject.js";
import { say } from "../../words/say.js";
import { appsOf } from "./chosenApps.js";
import { notListed } from "./namedList.js";

/** A kind, and what of it: an address, a key, or an app; null for all of its objects. */
export interface ObjectChoice {
  readonly kind: string;
  readonly only: string | null;
}

/** An object that was found, and whether a connector fills its app. */
export interface Spotted {
  readonly kind: Kind;
  readonly observed: Observed;
  readonly isConnected: boolean;
}

/** What objects are looked for with. */
interface FindSources extends LiveOrigin {
  /** The manifests of the project. */
  readonly resources: readonly Resource[];
}

type Spotting = Checked<readonly Spotted[] | null>;

/**
 * The objects that a choice means: all of a kind, those of an app, or one by an address, a key or a template's name. Null
 * for a choice that means nothing.
 */
export async function findObjects(
  { kind: name, only }: ObjectChoice,
  sources: FindSources,
): Promise<Spotting> {
  const kind = kindNamed(name);
  if (kind === undefined) throw new Error(`no kind has the name ${name}`);
  if (only === null) return inventoryOf(kind, null, sources);
  const address = formatAddress({ kind: kind.name, name: only });
  const { snapshot, resources } = sources;

  const resource = resources.find((one) => formatAddress(one.address) === address);
  if (resource !== undefined) return describedBy(kind, resource, sources);
  const keys = entriesNamed(snapshot, address).map(([, { key }]) => key);
  if (keys.length > 0) return byKeys(kind, keys, address, sources);
  const key = keyIn(kind, only.slice(only.lastIndexOf("@") + 1));
  if (key !== null && (only.includes("@") || !isOneId(kind))) return byKeys(kind, [key], address, sources);
  if (hasApp(kind)) return inApp(kind, only, sources);
  return named(kind, only, sources);
}

/** Whether one id is the whole key, so that a name may stand in its place. */
function isOneId({ shape }: Kind): boolean {
  return shape.identity.length === 1;
}

/** A text that is the key of such an object; null for any other. */
function keyIn({ shape }: Kind, text: string): Key | null {
  const parts = text.split("/");
  return parts.length === shape.identity.length && parts.every((part) => part !== "") ? parts : null;
}

/** All objects of a kind, or those of some apps. */
async function inventoryOf(
  kind: Kind,
  apps: ReadonlySet<string> | null,
  { reader, asked, snapshot }: FindSources,
): Promise<Spotting & { readonly isWhole: boolean }> {
  // What no list of the service shows is found by the ids of the state.
  const isUnlisted = kind.inventory.gaps.some(({ misses }) => misses === "objects");
  const known = Object.values(snapshot?.entries ?? {}).filter(({ address }) => address.kind === kind.name);
  const named = isUnlisted ? known.map(({ key }) => key) : [];
  const found: Spotted[] = [];
  const unread: Diagnostic[] = [];
  const { value: isWhole, diagnostics } = await readInventory(
    kind,
    { ...EVERY_OBJECT, reader, asked, apps, named },
    (sighting) => {
      if (sighting.as === "present") found.push({ kind, ...sighting });
      else if (sighting.as === "unread") unread.push(sighting.diagnostic);
    },
  );
  const all = [...diagnostics, ...unread];
  return { value: found.length === 0 && all.length > 0 ? null : found, diagnostics: all, isWhole };
}

/** The object that a manifest of the project describes. */
async function describedBy(kind: Kind, resource: Resource, sources: FindSources): Promise<Spotting> {
  const { value, diagnostics } = await resolveAll([resource], sources, { project: sources.resources });
  const [desired] = value.desired;
  const [doubt] = value.unresolved.values();
  const mistakes = doubt?.as === "unread" ? [...diagnostics, doubt.diagnostic] : diagnostics;
  if (desired === undefined || mistakes.length > 0) return { value: null, diagnostics: mistakes };
  const address = formatAddress(resource.address);
  if (desired.key !== null) return byKeys(kind, [desired.key], address, sources);
  const [app = ""] = kind.shape.identity.map((name) => desired.identity[name]);
  const siblings = await inventoryOf(kind, new Set([String(app)]), sources);
  const matching = (siblings.value ?? []).filter(({ observed }) => fits(kind, desired, observed));
  if (matching.length > 0) return { value: matching, diagnostics: siblings.diagnostics };
  const isKnown = siblings.isWhole && siblings.diagnostics.length === 0;
  const missing = isKnown ? notThere(address) : say("command/not-seen", { address });
  return { value: null, diagnostics: [...siblings.diagnostics, missing] };
}

function fits(kind: Kind, { identity, fields }: Desired, observed: Observed): boolean {
  return kind.matches?.({ ...identity, ...fields }, observed) === true;
}

/** The objects of some keys, each read for itself. */
async function byKeys(
  kind: Kind,
  keys: readonly Key[],
  address: string,
  { reader }: FindSources,
): Promise<Spotting> {
  const found: Spotted[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const key of keys) {
    const fetched = await readWhole(kind, key, reader);
    const observed = fetched.as === "got" ? fetched.value : undefined;
    const seen = fetched.as === "got" ? present(kind, observed) : unseen(fetched);
    if (observed !== undefined && seen.as === "present") found.push({ kind, observed, isConnected: false });
    else if (seen.as === "unread") diagnostics.push(seen.diagnostic);
    else diagnostics.push(notThere(address, formatKey(kind.name, key)));
  }
  return { value: found.length === 0 ? null : found, diagnostics };
}

/** The objects of one app, by its id or name. */
async function inApp(kind: Kind, text: string, sources: FindSources): Promise<Spotting> {
  const { apps, catalogue } = sources;
  const given = Object.hasOwn(apps, text) ? (apps[text] ?? text) : text;
  const chosen = await appsOf([given], catalogue);
  const isNone = chosen.diagnostics.some(({ code }) => code === "reference/not-found");
  if (isNone) return { value: null, diagnostics: [await nothingCalled(kind, text, sources)] };
  if (chosen.diagnostics.length > 0) return { value: null, diagnostics: chosen.diagnostics };
  return inventoryOf(kind, chosen.value, sources);
}

/** The object of an id, else those of a name: several objects may have one name, and all of them are shown. */
async function named(kind: Kind, text: string, sources: FindSources): Promise<Spotting> {
  // A name that looks like an id is looked up as one first.
  const own = LIKE_AN_ID.test(text) ? await byKeys(kind, [[text]], text, sources) : null;
  const isMissing = own?.diagnostics.every(({ code }) => code === NOT_THERE) === true;
  if (own !== null && !isMissing) return own;
  const of = targetAt(kind);
  const list =
    of === null
      ? null
      : await sources.directory.list({ target: of, app: "", by: "name", text, probable: null });
  if (of !== null && list !== null && list.as !== "got")
    return { value: null, diagnostics: [notListed(of, list)] };
  const called = list?.as === "got" ? list.value.called("name", text) : [];
  if (called.length === 0) return { value: null, diagnostics: [await nothingCalled(kind, text, sources)] };
  return byKeys(
    kind,
    called.map(({ id }) => [id]),
    text,
    sources,
  );
}

/** What the first id of a kind's key points at. */
function targetAt({ shape }: Kind): Target | null {
  const field = shape.fields.get(shape.identity[0] ?? "");
  return field?.type === "string" && field.form.is === "id" ? field.form.of : null;
}

const LIKE_AN_ID = /^[A-Za-z0-9]{20,}$/;

const NOT_THERE = "command/not-in-tenant";

function notThere(address: string, key = ""): Diagnostic {
  return say(NOT_THERE, { address, key: key === "" || key === address ? "" : ` (${key})` });
}

/** What was looked for, and what is called nearly so. */
async function nothingCalled(
  kind: Kind,
  text: string,
  { resources, catalogue }: FindSources,
): Promise<Diagnostic> {
  const written = resources
    .filter(({ address }) => address.kind === kind.name)
    .map(({ address }) => address.name);
  const apps = hasApp(kind) ? ((await catalogue.every("app", ""))?.every() ?? []) : [];
  const known = [...new Set([...written, ...[...apps].map(({ name }) => name)])];
  const pointed = hasApp(kind) ? "app" : (targetAt(kind) ?? "other");
  return say("command/nothing-called", {
    noun: referable(pointed).noun.one,
    text,
    name: kind.name,
    near: nearestInWords(text, known),
  });
}
