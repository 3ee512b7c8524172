import { kinds } from "../../src/kinds/index.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import { normaliseWritten } from "../../src/kinds/normalise.js";
import type { Resource } from "../../src/manifest/resource.js";
import { NO_VOCABULARY } from "../../src/manifest/vocabulary.js";
import { type Address, formatAddress } from "../../src/model/address.js";
import type { JsonObject } from "../../src/model/json.js";
import { formatKey, type Key } from "../../src/model/key.js";
import type { Path } from "../../src/model/path.js";
import { NO_SETTINGS, type Rules } from "../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { Look } from "../../src/plan/look.js";
import { makePlan } from "../../src/plan/make.js";
import { NOTHING_MORE, observedOf } from "../../src/plan/observed.js";
import type { Mode, Planned } from "../../src/plan/plan.js";
import { removedFrom } from "../../src/plan/removed/which.js";
import { select } from "../../src/plan/select/select.js";
import type { Step } from "../../src/plan/step.js";
import type { Entry, Snapshot } from "../../src/state/snapshot.js";
import type { Current, Desired, Seen } from "../../src/tenant/known.js";

export const SERVER = "https://tenant.example";

/** A resource whose every place is one line per path, so that spans differ. */
export function resource(address: Address, spec: JsonObject, more: Partial<Resource> = {}): Resource {
  const line = (path: Path) => 1 + path.length;
  return {
    address,
    labels: {},
    annotations: {},
    spec,
    file: "manifests.yaml",
    place: (path) => ({
      span: {
        file: "manifests.yaml",
        start: { line: line(path), column: 1 },
        end: { line: line(path), column: 2 },
      },
      excerpt: { text: "", column: 1 },
    }),
    ...more,
  };
}

/** What a manifest of a kind asks for, its spec written with ids. */
export function wish(kind: Kind, name: string, spec: JsonObject, more: Partial<Resource> = {}): Desired {
  const { identity, createOnly, requestOnly } = kind.shape;
  const isFixed = (field: string) => [...identity, ...createOnly, ...requestOnly].includes(field);
  const split = (keep: boolean) =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => isFixed(field) === keep));
  return {
    resource: resource({ kind: kind.name, name }, spec, more),
    key: kind.key(spec),
    identity: split(true),
    owned: Object.keys(split(false)),
    fields: normaliseWritten(split(false), kind.shape),
    meanings: {},
    warnings: [],
  };
}

export function entry(
  kind: Kind,
  name: string,
  key: Key,
  applied: JsonObject,
  more: Partial<Entry> = {},
): Entry {
  return {
    address: { kind: kind.name, name },
    key,
    applied,
    answered: applied,
    rewritten: [],
    at: "2026-01-01T00:00:00Z",
    protected: false,
    ...more,
  };
}

export function snapshot(entries: readonly Entry[], more: Partial<Snapshot> = {}): Snapshot {
  const byKey = entries.map((one): readonly [string, Entry] => [formatKey(one.address.kind, one.key), one]);
  return {
    lineage: "l",
    serial: 1,
    server: SERVER,
    wasRead: false,
    lastApplied: {},
    entries: Object.fromEntries(byKey),
    uncertain: {},
    existing: {},
    applying: null,
    ...more,
  };
}

export type Fact = readonly [kind: Kind, name: Key | string, seen: Seen];

export const present = (key: Key, fields: JsonObject, managedBy?: string): Seen =>
  managedBy === undefined ? { as: "present", key, fields } : { as: "present", key, fields, managedBy };
export const absent: Seen = { as: "absent" };

/** What was learnt of the tenant; a fact is named by a key, or by a resource's name without one. */
export function current(on: Interface, facts: readonly Fact[]): Current {
  const source = on === "full" ? "live" : "recorded";
  const from = kinds.map(({ name }) => [name, { interface: on, source, why: null }] as const);
  const objects = facts.map(([{ name: kind }, name, seen]): readonly [string, Seen] => [
    typeof name === "string" ? formatAddress({ kind, name }) : formatKey(kind, name),
    seen,
  ]);
  return {
    from: Object.fromEntries(from),
    objects: new Map(objects),
    shown: new Set(),
    rewritten: new Map(),
    caller: null,
    dependents: new Map(),
    policies: null,
    notCompared: [],
    names: new Map(),
    calls: {},
    unknown: [],
  };
}

const MODE: Mode = {
  offline: false,
  refreshOnly: false,
  prune: false,
  cascade: [],
  targets: [],
  selector: null,
};

/** What a plan is made from, its groups written side by side. */
type World = Pick<Look["known"], "current"> &
  Partial<Omit<Look["project"], "resources"> & Look["wanted"] & Look["known"] & Look["ahead"] & Rules> & {
    readonly project?: Look["project"]["resources"];
    readonly mode?: Partial<Mode>;
  };

export function lookOf(more: World): Look {
  const { limits = DEFAULT_LIMITS, acknowledgements = [], today = "2026-06-01" } = more;
  const { settings = NO_SETTINGS, snapshot = null, server = SERVER, asked = "auto" } = more;
  const { sources = [], commit = null, since = null, isWhole = true, isStateLost = false } = more;
  const { removals = { decisions: [], isPruneStanding: false }, appliedWhen = "later", width = 8 } = more;
  const mode = { ...MODE, ...more.mode };
  const { desired = [], project = desired.map(({ resource }) => resource) } = more;
  const loaded = {
    resources: project,
    sources: [],
    vocabulary: NO_VOCABULARY,
    diagnostics: [],
    unclear: [],
    chosen: null,
    isComplete: true,
  };
  const selected = new Set(select(loaded, mode).value);
  const chosen = desired.filter(({ resource }) => selected.has(resource));
  const removed = more.removed ?? removedFrom(loaded, chosen, snapshot, mode);
  return {
    project: { resources: project, sources, commit, removals },
    wanted: { desired: chosen, removed, since, reviewed: null, isWhole },
    known: { server, asked, current: more.current, snapshot, isStateLost },
    rules: { limits, acknowledgements, today, settings },
    mode,
    ahead: { appliedWhen, width },
    beside: null,
  };
}

export function planOf(from: Parameters<typeof lookOf>[0]): Planned {
  const look = lookOf(from);
  const { value: plan } = makePlan(look);
  return { ...plan, ...observedOf(plan, look, NOTHING_MORE).value };
}

/** A step as one line: what is done to which, and why. */
export function line({ address, action, reason }: Step): string {
  return `${action} ${formatAddress(address)}: ${reason}`;
}
