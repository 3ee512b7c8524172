import type { Asked, AskedInterface, Interface } from "../../kinds/interface.js";
import { isObject, type Json } from "../../model/json.js";
import { publicServer } from "../../plan/server.js";
import { durationText } from "../../schema/duration.js";
import { shownAddress } from "../../state/stores.js";
import { completeServer } from "../../tenant/client/server.js";
import type { NamedBy } from "../credentials/give.js";
import { duration, FIXED, members, number, part, type Row, row, text, whole } from "./row.js";
import { acknowledgements, ignored } from "./rows/acknowledgements.js";
import { expansion, impact, limits, reads } from "./rows/limits.js";
import {
  apps,
  contexts,
  manifests,
  moved,
  ownGuards,
  prunable,
  prunesAlways,
  removed,
  tests,
  values,
} from "./rows/manifests.js";

const DEFAULT_DAYS = 400;
const DAYS = whole(0, 36_500);
/** Seconds. A call cannot be given no time at all. */
const SHORTEST_TIMEOUT = 0.001;

/** Every setting, in the order in which `remit config` prints them. A new setting is a row here and a key of the schema. */
const SETTINGS = {
  /** The tenant's address; the vendor's own names are read after remit's. */
  server: row<string | null>({
    flag: "server",
    variables: [
      { name: "REMIT_SERVER" },
      { name: "CONDUCTORONE_SERVER_URL" },
      { name: "CONDUCTORONE_TENANT_DOMAIN", read: tenantServer },
    ],
    read: (value) => {
      const address = text(value);
      return address === undefined ? undefined : completeServer(address);
    },
    fallback: null,
    decides: FIXED,
    printed: shown,
  }),
  interface: row<AskedInterface>({
    flag: "interface",
    variables: [{ name: "REMIT_INTERFACE" }],
    read: (value) => {
      if (value === "core" || value === "full" || value === "auto") return value;
      return isObject(value) ? (value as Readonly<Record<string, Asked>>) : undefined;
    },
    noun: "auto, full or core",
    fallback: "auto",
    decides: FIXED,
  }),
  manifests,
  contexts,
  apps,
  values,
  tests,
  state: row({
    flag: "state",
    variables: [{ name: "REMIT_STATE" }],
    read: text,
    fallback: ".remit/state.json",
    decides: FIXED,
    parts: (value) => [part("state", value)],
    printed: shownAddress,
  }),
  /** What the state calls the project; null where the remote of its checkout names it. */
  project: row<string | null>({
    read: text,
    fallback: null,
    decides: FIXED,
  }),
  /** For how many days an encrypted state keeps texts of values with its history; 0 keeps none. */
  history: row<number>({
    read: (value) => (isObject(value) ? DAYS.read(value.values ?? DEFAULT_DAYS, null) : undefined),
    fallback: DEFAULT_DAYS,
    decides: FIXED,
    parts: (value) => members("history", { values: value }),
    printed: (value) => ({ values: value }),
  }),
  concurrency: row({
    flag: "concurrency",
    variables: [{ name: "REMIT_CONCURRENCY" }],
    ...whole(1, 500),
    fallback: 10,
    decides: FIXED,
  }),
  /** Calls per second that the service allows; null where the team names none. */
  rate: row<number | null>({
    variables: [{ name: "REMIT_RATE" }],
    ...number(0.1, 10_000),
    fallback: null,
    decides: FIXED,
  }),
  /** Milliseconds. */
  requestTimeout: row({
    variables: [{ name: "REMIT_REQUEST_TIMEOUT" }],
    ...duration(SHORTEST_TIMEOUT),
    fallback: 30_000,
    decides: FIXED,
    printed: durationText,
  }),
  /** Milliseconds. */
  createLag: row({
    variables: [{ name: "REMIT_CREATE_LAG" }],
    ...duration(0),
    fallback: 60_000,
    decides: FIXED,
    printed: durationText,
  }),
  /** Milliseconds. */
  ownersLag: row({
    variables: [{ name: "REMIT_OWNERS_LAG" }],
    ...duration(0),
    fallback: 600_000,
    decides: FIXED,
    printed: durationText,
  }),
  retries: row({
    variables: [{ name: "REMIT_RETRIES" }],
    ...whole(0, 20),
    fallback: 5,
    decides: FIXED,
  }),
  reads,
  moved,
  impact,
  /** How the embedded service is run. */
  sandbox: row<SandboxSettings>({
    read: (value) =>
      isObject(value)
        ? {
            seed: text(value.seed) ?? null,
            faults: text(value.faults) ?? null,
            interface: value.interface === "core" ? "core" : "full",
          }
        : undefined,
    fallback: { seed: null, faults: null, interface: "full" },
    decides: FIXED,
    paths: {
      of: ({ seed, faults }) => [seed, faults].filter((path) => path !== null),
      without: (value, left) => {
        const kept = (path: string | null) => (path === null || left.has(path) ? null : path);
        return { ...value, seed: kept(value.seed), faults: kept(value.faults) };
      },
    },
  }),
  prunesAlways,
  prunable,
  removed,
  limits,
  expansion,
  ownGuards,
  ignored,
  acknowledgements,
} as const;

/** The name of a setting in code. */
export type SettingName = keyof typeof SETTINGS;

/** What a setting's value is. */
export type SettingValue<N extends SettingName> = (typeof SETTINGS)[N] extends Row<infer T> ? T : never;

/** The names of all settings, in order. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The row of a setting. */
export function rowOf<N extends SettingName>(name: N): Row<SettingValue<N>> {
  return SETTINGS[name] as unknown as Row<SettingValue<N>>;
}

/** A value and where it came from: a flag, a variable, a line of a project file, or the default. */
export interface Setting<T> {
  readonly value: T;
  readonly from: string;
  readonly by: SetBy;
}

/** Who set a value: the operator by a flag or a variable, the project file of one of the two trees, or no one. */
type SetBy = "operator" | "reviewed branch" | "working tree" | "default";

/** All settings of a run, each with the place where it was set. */
export type Settings = { readonly [N in SettingName]: Setting<SettingValue<N>> };

/** Settings that are made one by one. */
export function settingsOf(make: <N extends SettingName>(name: N) => Setting<SettingValue<N>>): Settings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, make(name)])) as unknown as Settings;
}

/** Whether a setting was named by the operator or the reviewed branch, and not by the working tree alone. */
export function namerOf({ by }: Setting<unknown>): NamedBy {
  return by === "working tree" ? "working tree" : "operator";
}

/** How the embedded service is run. */
interface SandboxSettings {
  readonly seed: string | null;
  readonly faults: string | null;
  readonly interface: Interface;
}

function shown(address: string | null): string | null {
  return address === null ? null : publicServer(address);
}

/** The domain of a tenant, or only its first label, as the vendor's clients accept it. */
function tenantServer(value: Json | undefined): string | undefined {
  const domain = text(value);
  if (domain === undefined || domain === "sandbox" || domain.includes("://")) return domain;
  return `https://${domain.includes(".") ? domain : `${domain}.conductor.one`}`;
}
