import type {
  Acknowledgement,
  AskedInterface,
  Ignored,
  Interface,
  Limits,
  MovedAddress,
  Removal,
} from "../../entry/settings.js";

/** A value and where it came from: a flag, a variable, a line of a project file, or the default. */
export interface Setting<T> {
  readonly value: T;
  readonly from: string;
  readonly by: SetBy;
}

/** Who set a value: the operator by a flag or a variable, the project file of one of the two trees, or no one. */
export type SetBy = "operator" | "reviewed branch" | "working tree" | "default";

/** All settings of a run, each with the place where it was set. */
export interface Settings {
  readonly server: Setting<string | null>;
  readonly interface: Setting<AskedInterface>;
  readonly manifests: Setting<readonly string[]>;
  readonly apps: Setting<Readonly<Record<string, string>>>;
  /** Files with named values. */
  readonly values: Setting<readonly string[]>;
  readonly state: Setting<string>;
  /** What the state calls the project; null where the remote of its checkout names it. */
  readonly project: Setting<string | null>;
  readonly concurrency: Setting<number>;
  /** Milliseconds. */
  readonly requestTimeout: Setting<number>;
  readonly retries: Setting<number>;
  readonly reads: Setting<ReadBounds>;
  readonly prunable: Setting<readonly string[]>;
  /** Whether every removed object is deleted. */
  readonly prunesAlways: Setting<boolean>;
  readonly removed: Setting<readonly Removal[]>;
  /** Addresses that are called otherwise now. */
  readonly moved: Setting<readonly MovedAddress[]>;
  /** Unmanaged objects that are not reported. */
  readonly ignored: Setting<readonly Ignored[]>;
  readonly limits: Setting<Limits>;
  readonly acknowledgements: Setting<readonly Acknowledgement[]>;
  readonly impact: Setting<ImpactSettings>;
  readonly sandbox: Setting<SandboxSettings>;
}

/** The bounds of reads that the project file sets: MiB of a reply, rows and pages of a list, and its seconds. */
export type ReadBounds = { readonly [bound in "reply" | "rows" | "pages" | "time"]?: number };

/** How people are counted: with how many calls at most, and whether they are named where others may read it. */
export interface ImpactSettings {
  readonly calls: number;
  readonly people: boolean;
}

/** How the embedded service is run. */
export interface SandboxSettings {
  readonly seed: string | null;
  readonly faults: string | null;
  readonly interface: Interface;
}

/** The flags that are settings; for a missing one, the environment and the project file are read. */
export interface SettingFlags {
  readonly server?: string;
  readonly interface?: Interface | "auto";
  readonly state?: string;
  readonly concurrency?: number;
  readonly settingsFrom?: string;
}
