import {
  type Acknowledgement,
  type Asked,
  type AskedInterface,
  canonicalDuration,
  completeServer,
  DEFAULT_LIMITS,
  type Ignored,
  type MovedAddress,
  type NamedBy,
  type Removal,
  WHOLE_PLAN,
} from "../../entry/settings.js";
import {
  type Environment,
  isEmptyVariable,
  isObject,
  type Json,
  readVariable,
  type VariableName,
} from "../../entry/values.js";
import type { ProjectFile } from "./projectFile.js";
import type { ReadBounds, Setting, SettingFlags, Settings } from "./settings.js";

/** A variable whose value has the wrong form. */
export interface BadVariable {
  readonly name: string;
  readonly message: string;
}

/** A whole run's settings: a flag before a variable before the project file before the default. */
export function settle(
  flags: SettingFlags,
  env: Environment,
  file: ProjectFile | null,
  tree: "reviewed branch" | "working tree" = "working tree",
): { readonly settings: Settings; readonly badVariables: readonly BadVariable[] } {
  const badVariables: BadVariable[] = [];

  function setting<T>(key: keyof Settings & string, options: Source<T>): Setting<T> {
    const flag = isSettingFlag(key) ? flags[key] : undefined;
    if (flag !== undefined)
      return {
        value: options.read(flag) ?? options.fallback,
        from: `--${options.flag ?? key}`,
        by: "operator",
      };
    const text = options.variable === undefined ? undefined : readVariable(env, options.variable);
    if (options.variable !== undefined && isEmptyVariable(env, options.variable))
      badVariables.push({ name: options.variable, message: `${options.variable} is set, but empty` });
    if (options.variable !== undefined && text !== undefined) {
      const value = options.read(text);
      if (value !== undefined) return { value, from: options.variable, by: "operator" };
      badVariables.push({
        name: options.variable,
        message: `${options.variable} is not ${options.noun ?? "in the right form"}`,
      });
    }
    const at = options.at ?? key;
    const written = file?.value[at];
    const value = written === undefined ? undefined : options.read(written);
    if (file !== null && value !== undefined)
      return { value, from: `${file.name}:${file.placeOf([at]).span.start.line}`, by: tree };
    return { value: options.fallback, from: "default", by: "default" };
  }

  const serverName = serverVariable(env);
  for (const name of SERVER_VARIABLES.filter((name) => name !== serverName && isEmptyVariable(env, name)))
    badVariables.push({ name, message: `${name} is set, but empty` });
  const settings: Settings = {
    server: setting("server", {
      variable: serverName,
      read: serverName === TENANT_DOMAIN ? tenantServer : server,
      fallback: null,
    }),
    interface: setting("interface", {
      variable: "REMIT_INTERFACE",
      read: askedInterface,
      noun: "auto, full or core",
      fallback: "auto",
    }),
    manifests: setting("manifests", { read: texts, fallback: ["."] }),
    apps: setting("apps", { read: names, fallback: {} }),
    values: setting("values", { read: texts, fallback: [] }),
    state: setting("state", { variable: "REMIT_STATE", read: text, fallback: ".remit/state.json" }),
    project: setting("project", { read: text, fallback: null }),
    concurrency: setting("concurrency", {
      variable: "REMIT_CONCURRENCY",
      read: whole(1, 500),
      noun: "a whole number from 1 to 500",
      fallback: 10,
    }),
    requestTimeout: setting("requestTimeout", {
      variable: "REMIT_REQUEST_TIMEOUT",
      read: milliseconds,
      noun: "a duration such as 30s",
      fallback: 30_000,
    }),
    retries: setting("retries", {
      variable: "REMIT_RETRIES",
      read: whole(0, 20),
      noun: "a whole number from 0 to 20",
      fallback: 5,
    }),
    reads: setting("reads", {
      read: (value) => (isObject(value) ? (value as ReadBounds) : undefined),
      fallback: {},
    }),
    prunable: setting("prunable", {
      at: "prune",
      read: (value) => (isObject(value) ? texts(value.resourceTypes) : undefined),
      fallback: [],
    }),
    prunesAlways: setting("prunesAlways", {
      at: "prune",
      read: (value) => (typeof value === "boolean" ? value : undefined),
      fallback: false,
    }),
    removed: setting("removed", {
      read: (value) => removals(value, file),
      fallback: [],
    }),
    moved: setting("moved", {
      read: (value) => movedAddresses(value, file),
      fallback: [],
    }),
    ignored: setting("ignored", {
      at: "ignore",
      read: (value) => ignoredObjects(value, file),
      fallback: [],
    }),
    limits: setting("limits", {
      at: "guards",
      read: (value) =>
        isObject(value) ? { ...DEFAULT_LIMITS, ...(value as Partial<typeof DEFAULT_LIMITS>) } : undefined,
      fallback: DEFAULT_LIMITS,
    }),
    acknowledgements: setting("acknowledgements", {
      at: "acknowledge",
      read: (value) => acknowledgements(value, file),
      fallback: [],
    }),
    impact: setting("impact", {
      read: (value) =>
        isObject(value)
          ? { calls: whole(0, 100_000)(value.calls) ?? CALLS_FOR_PEOPLE, people: value.people === true }
          : undefined,
      fallback: { calls: CALLS_FOR_PEOPLE, people: false },
    }),
    sandbox: setting("sandbox", {
      read: (value) =>
        isObject(value)
          ? {
              seed: text(value.seed) ?? null,
              faults: text(value.faults) ?? null,
              interface: value.interface === "core" ? "core" : "full",
            }
          : undefined,
      fallback: { seed: null, faults: null, interface: "full" },
    }),
  };
  return { settings, badVariables };
}

/** The most calls that counting people may make. */
const CALLS_FOR_PEOPLE = 200;

/** Whether a setting was named by the operator or the reviewed branch, and not by the working tree alone. */
export function namerOf({ by }: Setting<unknown>): NamedBy {
  return by === "working tree" ? "working tree" : "operator";
}

// A command has other flags as well, and one of them may be called as a setting is.
const SETTING_FLAGS = {
  server: true,
  interface: true,
  state: true,
  concurrency: true,
  settingsFrom: true,
} as const satisfies Record<keyof SettingFlags, true>;

function isSettingFlag(name: string): name is keyof SettingFlags {
  return Object.hasOwn(SETTING_FLAGS, name);
}

interface Source<T> {
  readonly variable?: VariableName;
  readonly flag?: string;
  /** The key in the project file, if its name differs. */
  readonly at?: string;
  readonly read: (value: Json | undefined) => T | undefined;
  readonly noun?: string;
  readonly fallback: T;
}

// The vendor's own names are read after remit's.
const TENANT_DOMAIN = "CONDUCTORONE_TENANT_DOMAIN";
const SERVER_VARIABLES = ["REMIT_SERVER", "CONDUCTORONE_SERVER_URL", TENANT_DOMAIN] as const;

function serverVariable(env: Environment): VariableName {
  return SERVER_VARIABLES.find((name) => readVariable(env, name) !== undefined) ?? SERVER_VARIABLES[0];
}

function server(value: Json | undefined): string | undefined {
  const address = text(value);
  return address === undefined ? undefined : completeServer(address);
}

/** The domain of a tenant, or only its first label, as the vendor's clients accept it. */
function tenantServer(value: Json | undefined): string | undefined {
  const domain = text(value);
  if (domain === undefined || domain === "sandbox" || domain.includes("://")) return domain;
  return `https://${domain.includes(".") ? domain : `${domain}.conductor.one`}`;
}

function askedInterface(value: Json | undefined): AskedInterface | undefined {
  if (value === "core" || value === "full" || value === "auto") return value;
  return isObject(value) ? (value as Readonly<Record<string, Asked>>) : undefined;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function texts(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function names(value: Json | undefined): Readonly<Record<string, string>> | undefined {
  return isObject(value) ? (value as Readonly<Record<string, string>>) : undefined;
}

function whole(least: number, most: number): (value: Json | undefined) => number | undefined {
  return (value) => {
    const number = typeof value === "string" ? Number(value) : value;
    return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined;
  };
}

function milliseconds(value: Json | undefined): number | undefined {
  const duration = typeof value === "string" ? canonicalDuration(value) : undefined;
  const seconds = duration === undefined ? 0 : Number.parseFloat(duration);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function removals(value: Json | undefined, file: ProjectFile | null): readonly Removal[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((one, place) => ({
    address: String(one.address),
    key: typeof one.key === "string" ? one.key : null,
    decision: one.then === "delete" ? "delete" : "forget",
    span: file?.placeOf(["removed", place]).span ?? null,
  }));
}

function movedAddresses(
  value: Json | undefined,
  file: ProjectFile | null,
): readonly MovedAddress[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((one, place) => ({
    from: String(one.from),
    to: String(one.to),
    span: file?.placeOf(["moved", place]).span ?? null,
  }));
}

function ignoredObjects(value: Json | undefined, file: ProjectFile | null): readonly Ignored[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((one, place) => ({
    objects: String(one.objects),
    until: String(one.until),
    reason: String(one.reason),
    span: file?.placeOf(["ignore", place]).span ?? null,
  }));
}

function acknowledgements(
  value: Json | undefined,
  file: ProjectFile | null,
): readonly Acknowledgement[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((one, place) => ({
    by: "project",
    guard: String(one.guard),
    address: one.address === WHOLE_PLAN ? null : String(one.address),
    until: String(one.until),
    reason: String(one.reason),
    of: typeof one.of === "string" ? one.of : null,
    span: file?.placeOf(["acknowledge", place]).span ?? null,
  }));
}
