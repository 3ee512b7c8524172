import {
  type Acknowledgement,
  endOf,
  ignoredFault,
  type LoosenedDefault,
  type SettingDifference,
  type SettingPlace,
} from "../../entry/settings.js";
import { same } from "../../entry/values.js";
import { settle } from "./precedence.js";
import type { SettingPath } from "./projectFile.js";
import type { Setting, Settings } from "./settings.js";
import { type Name, ROWS, type Row, type SettingPart, type ValueOf } from "./trustTable.js";

const NAMES = Object.keys(ROWS) as readonly Name[];

/** The settings in force, and where the working tree's own differ from the reviewed branch's. */
export interface Decided {
  readonly settings: Settings;
  readonly differences: readonly SettingDifference[];
}

/**
 * Decides between the settings of the reviewed branch and those of the working tree. Nothing that comes out permits more
 * than the reviewed branch does, but intent. Every difference is listed. `placeOf` finds a line of the working tree's file.
 */
export function decide(
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
  today: string,
): Decided {
  const inForce = withoutLong(reviewed, today);
  return {
    settings: Object.fromEntries(
      NAMES.map((name) => [name, choose(name, inForce, tree)]),
    ) as unknown as Settings,
    differences: NAMES.flatMap((name) => differencesOf(name, reviewed, tree, placeOf)),
  };
}

/** An acknowledgement that ends too late never holds, so the working tree cannot make it hold by an earlier end. */
function withoutLong(settings: Settings, today: string): Settings {
  const { acknowledgements, limits } = settings;
  const term = { today, limits: limits.value };
  const isLong = (one: Acknowledgement) => one.by === "project" && isTooLong(one.until, term);
  const value = acknowledgements.value.filter((one) => !isLong(one));
  return { ...settings, acknowledgements: { ...acknowledgements, value } };
}

function isTooLong(until: string, term: Parameters<typeof endOf>[1]): boolean {
  const why = endOf(until, term);
  return why !== null && why.code !== "guard/expired";
}

/** The settings that permit more than their defaults do. What has expired permits nothing. */
export function loosenedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const standard = settle({}, {}, null).settings;
  const { acknowledgements, ignored, limits } = settings;
  const term = { today, limits: limits.value };
  const held = acknowledgements.value.filter((one) => one.by === "flag" || endOf(one.until, term) === null);
  const hiding = ignored.value.filter((one) => ignoredFault(one, term) === null);
  const holding = {
    ...settings,
    acknowledgements: { ...acknowledgements, value: held },
    ignored: { ...ignored, value: hiding },
  };
  return NAMES.flatMap((name) => loosenedBy(name, holding, standard));
}

/** The entries of a project file that have ended, and so permit nothing. */
export function endedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const standard = settle({}, {}, null).settings;
  const { acknowledgements, ignored } = settings;
  const acknowledged = acknowledgements.value.filter((one) => one.by === "project" && hasEnded(one, today));
  const ending = {
    ...settings,
    acknowledgements: { ...acknowledgements, value: acknowledged },
    ignored: { ...ignored, value: ignored.value.filter((one) => hasEnded(one, today)) },
  };
  return (["acknowledgements", "ignored"] as const).flatMap((name) => loosenedBy(name, ending, standard));
}

function hasEnded({ until }: { readonly until: string }, today: string): boolean {
  return endOf(until, { today, limits: { acknowledgeDays: 0 } })?.code === "guard/expired";
}

function choose<N extends Name>(name: N, reviewed: Settings, tree: Settings): Setting<ValueOf<N>> {
  const row: Row<ValueOf<N>> = ROWS[name];
  const [inForce, own] = [reviewed[name], tree[name]] as const;
  if (row.is === "intent") return own;
  if (row.is === "fixed") return inForce;
  return { ...inForce, value: row.tighter(inForce.value, own.value) };
}

function differencesOf<N extends Name>(
  name: N,
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
): readonly SettingDifference[] {
  const row: Row<ValueOf<N>> = ROWS[name];
  const [before, after] = [byName(row.parts(reviewed[name].value)), byName(row.parts(tree[name].value))];
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .flatMap((part): readonly SettingDifference[] => {
      const [inForce, own] = [before.get(part), after.get(part)];
      if (same(inForce?.value, own?.value)) return [];
      return [
        {
          setting: part,
          effect:
            row.is === "limit" ? effectOf(row.isWithin(own?.value, inForce?.value, part)) : EFFECTS[row.is],
          inForce: inForce?.shown ?? null,
          workingTree: own?.shown ?? null,
          place: own === undefined ? null : placeOf(own.path),
        },
      ];
    });
}

const EFFECTS = { intent: "intent", fixed: "loosens" } as const;

function effectOf(isTighter: boolean): SettingDifference["effect"] {
  return isTighter ? "tightens" : "loosens";
}

function loosenedBy<N extends Name>(
  name: N,
  settings: Settings,
  defaults: Settings,
): readonly LoosenedDefault[] {
  const row: Row<ValueOf<N>> = ROWS[name];
  if (row.is === "fixed") return [];
  const standard = byName(row.parts(defaults[name].value));
  return row
    .parts(settings[name].value)
    .flatMap(({ name: part, value, shown, span }): readonly LoosenedDefault[] => {
      const usual = standard.get(part);
      const isLoose = row.is === "intent" ? row.loosens(value) : !row.isWithin(value, usual?.value, part);
      const from = span === null ? settings[name].from : `${span.file}:${span.start.line}`;
      return isLoose ? [{ setting: part, value: shown, standard: usual?.shown ?? null, from }] : [];
    });
}

/** The parts by their names; of several with one name, all values. */
function byName(parts: readonly SettingPart[]): ReadonlyMap<string, SettingPart> {
  const found = new Map<string, SettingPart>();
  for (const one of parts) {
    const before = found.get(one.name);
    const value = before === undefined ? one.value : [before.value, one.value].flat();
    found.set(one.name, before === undefined ? one : { ...before, value, shown: value });
  }
  return found;
}
