import { isObject, type Json, same } from "../../model/json.js";
import type { Term } from "../../plan/guards/acknowledge.js";
import type { LoosenedDefault, SettingDifference, SettingPlace } from "../../plan/guards/settings.js";
import { resolveSettings } from "./precedence.js";
import type { SettingPath } from "./projectFile.js";
import { members, part, type Row, type SettingPart } from "./row.js";
import { type Setting, type Settings, settingsOf } from "./settings.js";
import { rowOf, SETTING_NAMES, type SettingName, type SettingValue } from "./table.js";

/** What a reader must know first: what the working tree cannot decide, then what it does, then what it may tighten. */
const IN_ORDER = (["fixed", "intent", "limit"] as const).flatMap((decider) =>
  SETTING_NAMES.filter((name) => rowOf(name).decides.is === decider),
);

/**
 * Decides between the settings of the reviewed branch and those of the working tree. Nothing that comes out permits more
 * than the reviewed branch does, but intent.
 */
export function decide(reviewed: Settings, tree: Settings, today: string): Settings {
  const term = termOf(reviewed, today);
  return settingsOf((name) => choose(name, reviewed, tree, term));
}

/** Where the settings of the working tree differ from those of the reviewed branch. `placeOf` finds a line of the tree's file. */
export function differencesBetween(
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
): readonly SettingDifference[] {
  return IN_ORDER.flatMap((name) => differencesOf(name, reviewed, tree, placeOf));
}

/** The day, and for how long an entry may hold by these settings. */
export function termOf({ limits }: Settings, today: string): Term {
  return { today, limits: limits.value };
}

/** The settings that permit more than their defaults do. What has expired permits nothing. */
export function loosenedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const standard = resolveSettings({}, {}, null).settings;
  const term = termOf(settings, today);
  return IN_ORDER.flatMap((name) =>
    loosenedBy(name, settings, standard, (value, entries) =>
      entries === undefined ? value : entries.holding(value, term),
    ),
  );
}

/** The entries of a project file that have ended, and so permit nothing. */
export function endedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const standard = resolveSettings({}, {}, null).settings;
  const term = termOf(settings, today);
  return IN_ORDER.flatMap((name) =>
    loosenedBy(name, settings, standard, (value, entries) => entries?.ended(value, term)),
  );
}

function choose<N extends SettingName>(
  name: N,
  reviewed: Settings,
  tree: Settings,
  term: Term,
): Setting<SettingValue<N>> {
  const { decides } = rowOf(name);
  const [inForce, own] = [reviewed[name], tree[name]] as const;
  if (decides.is === "intent") return own;
  if (decides.is === "fixed") return inForce;
  return { ...inForce, value: decides.tighter(inForce.value, own.value, term) };
}

function differencesOf<N extends SettingName>(
  name: N,
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
): readonly SettingDifference[] {
  const { decides } = rowOf(name);
  const before = byName(partsOf(name, reviewed[name].value));
  const after = byName(partsOf(name, tree[name].value));
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .flatMap((part): readonly SettingDifference[] => {
      const [inForce, own] = [before.get(part), after.get(part)];
      if (same(inForce?.value, own?.value)) return [];
      return [
        {
          setting: part,
          effect:
            decides.is === "limit"
              ? effectOf(decides.isWithin(own?.value, inForce?.value, part))
              : EFFECTS[decides.is],
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

/** What a setting permits beyond its default, looking at the value that `about` gives of it; nothing where it gives none. */
function loosenedBy<N extends SettingName>(
  name: N,
  settings: Settings,
  defaults: Settings,
  about: (value: SettingValue<N>, entries: Row<SettingValue<N>>["entries"]) => SettingValue<N> | undefined,
): readonly LoosenedDefault[] {
  const { decides, entries } = rowOf(name);
  const looked = about(settings[name].value, entries);
  if (decides.is === "fixed" || looked === undefined) return [];
  const standard = byName(partsOf(name, defaults[name].value));
  return partsOf(name, looked).flatMap(({ name: part, value, shown, span }): readonly LoosenedDefault[] => {
    const usual = standard.get(part);
    const isLoose =
      decides.is === "intent" ? decides.loosens(value) : !decides.isWithin(value, usual?.value, part);
    const from = span === null ? settings[name].from : `${span.file}:${span.start.line}`;
    return isLoose ? [{ setting: part, value: shown, standard: usual?.shown ?? null, from }] : [];
  });
}

function partsOf<N extends SettingName>(name: N, value: SettingValue<N>): readonly SettingPart[] {
  const { name: called = name, parts, printed } = rowOf(name);
  if (parts !== undefined) return parts(value);
  return isObject(value) ? members(called, value) : [part(called, value as Json, printed?.(value))];
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
