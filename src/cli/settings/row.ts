import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import type { OpenName } from "../../model/variables.js";
import type { Term } from "../../plan/guards/acknowledge.js";
import { canonicalDuration } from "../../schema/duration.js";
import type { SettingFlags } from "./flags.js";
import type { ProjectFile, SettingPath } from "./projectFile.js";

/** What remit knows of one setting, and nothing else does: how it is read, its default, and who decides it. */
export interface Row<T> {
  /** Its name for readers, where it is not its name in code. */
  readonly name?: string;
  /** The key in the project file that it is read from, where it is not its name. */
  readonly at?: string;
  readonly flag?: keyof SettingFlags;
  /** The variables that give it, the first that is set before all others. */
  readonly variables?: readonly SettingVariable<T>[];
  /** Reads what a flag, a variable or the project file gives; undefined where its form is wrong. */
  readonly read: (value: Json | undefined, file: ProjectFile | null) => T | undefined;
  /** What a value is, for a variable with another one. */
  readonly noun?: string;
  readonly fallback: T;
  readonly decides: Decider<T>;
  /** What is compared and shown of it, where that is not the value, or each member of an object. */
  readonly parts?: (value: T) => readonly SettingPart[];
  /** Its value as `remit config` prints it, where that is another one. */
  readonly printed?: (value: T) => Json;
  /** The paths in it that must be inside the project, and its value without some of them. */
  readonly paths?: {
    readonly of: (value: T) => readonly string[];
    readonly without: (value: T, paths: ReadonlySet<string>) => T;
  };
  /** Where it is a list of entries with a last day: those that hold, those that have ended, and what is wrong with them. */
  readonly entries?: {
    readonly holding: (value: T, term: Term) => T;
    readonly ended: (value: T, term: Term) => T;
    readonly faults: (value: T, term: Term) => readonly EntryFault[];
  };
}

/** A variable that gives a setting; one of the vendor may be read in another way. */
interface SettingVariable<T> {
  readonly name: OpenName;
  readonly read?: (value: Json | undefined) => T | undefined;
}

/**
 * Who decides on a setting. `intent`: the working tree. `fixed`: the reviewed branch alone, because no other value
 * permits less. `limit`: the reviewed branch, and the working tree where its value permits less.
 */
type Decider<T> =
  | { readonly is: "intent"; readonly loosens: (value: Json) => boolean }
  | { readonly is: "fixed" }
  | {
      readonly is: "limit";
      readonly isWithin: IsWithin;
      readonly tighter: (inForce: T, tree: T, term: Term) => T;
    };

/** Whether one part permits no more than another of its name; undefined is a part that is not set. */
type IsWithin = (one: Json | undefined, other: Json | undefined, name: string) => boolean;

/** A part of a setting: its name, what is compared, what is shown of it, and where a project file writes it. */
export interface SettingPart {
  readonly name: string;
  readonly value: Json;
  readonly shown: Json;
  readonly path: SettingPath;
  /** Its own line, where the setting is a list. */
  readonly span: Span | null;
}

/** What is wrong with an entry, and where a project file writes it. */
export type EntryFault = Pick<Diagnostic, "code" | "message"> & {
  readonly hint: string;
  readonly severity: "error" | "warning";
  readonly path: SettingPath;
};

/** The reviewed branch alone decides. */
export const FIXED = { is: "fixed" } as const;

/** The working tree decides, and no value permits more than the default. */
export const INTENT = intent(() => false);

/** The working tree decides; `loosens` says which values permit more than the default. */
export function intent(loosens: (value: Json) => boolean) {
  return { is: "intent", loosens } as const;
}

/** A row whose type follows from its default. */
export function row<T>(one: Row<T>): Row<T> {
  return one;
}

/** A part that its setting's name leads to in a project file. */
export function part(name: string, value: Json, shown: Json = value): SettingPart {
  return { name, value, shown, path: name.split("."), span: null };
}

/** The parts of a setting that is an object. */
export function members(of: string, values: Readonly<Record<string, Json>>): readonly SettingPart[] {
  return Object.entries(values).map(([name, value]) => ({
    ...part(`${of}.${name}`, value),
    path: [of, name],
  }));
}

/** Whether a number is at most another; null sets no bound. */
export function isAtMost(one: Json | undefined, other: Json | undefined): boolean {
  if (other === null) return true;
  return typeof one === "number" && typeof other === "number" && one <= other;
}

type Form<T> = Required<Pick<Row<T>, "read" | "noun">>;

/** Reads a text that is not empty. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Reads a list of texts. */
export function texts(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** How a whole number between two bounds is read, and what it is called. */
export function whole(least: number, most: number): Form<number> {
  return {
    noun: `a whole number from ${least} to ${most}`,
    read: (value) => {
      const number = typeof value === "string" ? Number(value) : value;
      return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
        ? number
        : undefined;
    },
  };
}

/** How a number between two bounds is read, and what it is called. */
export function number(least: number, most: number): Form<number | null> {
  return {
    noun: `a number from ${least} to ${most}`,
    read: (value) => {
      const number = typeof value === "string" ? Number(value) : value;
      return typeof number === "number" && number >= least && number <= most ? number : undefined;
    },
  };
}

/** How a duration of some seconds at least is read, in milliseconds, and what it is called. */
export function duration(least: number): Form<number> {
  return {
    noun: least === 0 ? "a duration such as 30s" : "a duration above zero, such as 30s",
    read: (value) => {
      const written = typeof value === "string" ? canonicalDuration(value) : undefined;
      const seconds = written === undefined ? -1 : Number.parseFloat(written);
      return seconds < least ? undefined : seconds * 1000;
    },
  };
}

/** Reads a list of objects, each with its place in the list. */
export function list<T>(
  value: Json | undefined,
  read: (one: Readonly<Record<string, Json | undefined>>, place: number) => T,
): readonly T[] | undefined {
  return Array.isArray(value) ? value.filter(isObject).map(read) : undefined;
}
