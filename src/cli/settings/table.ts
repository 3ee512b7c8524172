import type { Asked, AskedInterface } from "../../kinds/interface.js";
import { isObject } from "../../model/json.js";
import { durationText } from "../../schema/duration.js";
import { shownAddress } from "../../state/stores.js";
import { MILLISECONDS, number, text, whole } from "./read.js";
import { FIXED, members, part, type Row, row } from "./row.js";
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
import { sandbox, server } from "./rows/server.js";

const DEFAULT_DAYS = 400;
const DAYS = whole(0, 36_500);

/** Every setting, in the order in which `remit config` prints them. A new setting is a row here and a key of the schema. */
const SETTINGS = {
  server,
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
    ...MILLISECONDS,
    fallback: 30_000,
    decides: FIXED,
    printed: durationText,
  }),
  /** Milliseconds. */
  createLag: row({
    variables: [{ name: "REMIT_CREATE_LAG" }],
    ...MILLISECONDS,
    fallback: 60_000,
    decides: FIXED,
    printed: durationText,
  }),
  /** Milliseconds. */
  ownersLag: row({
    variables: [{ name: "REMIT_OWNERS_LAG" }],
    ...MILLISECONDS,
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
  sandbox,
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
