import type { Json } from "../../../model/json.js";
import { nameOfOwnGuard, type SettingsInForce } from "../rules.js";
import type { SettingDifference } from "../settings.js";
import type { OwnGuard } from "./ownGuard.js";

/** The guards of a reviewed branch and of the working tree. */
interface GuardSets {
  /** Null where the working tree's own settings are in force. */
  readonly reviewed: readonly OwnGuard[] | null;
  readonly tree: readonly OwnGuard[];
}

/**
 * The settings with the guards in force: those of the reviewed branch, and in addition those that the working tree adds.
 * One that the working tree takes away or writes otherwise stays in force, and the difference is shown. A guard that only
 * the working tree has and that reads people is not evaluated: its findings would tell the author about them.
 */
export function withOwnGuards(
  settings: SettingsInForce,
  { reviewed, tree }: GuardSets,
  asked: Pick<SettingsInForce["own"], "context" | "evaluate">,
): SettingsInForce {
  if (reviewed === null || settings.proposal === null)
    return { ...settings, own: { ...asked, guards: tree.toSorted(byName) } };
  const added = tree.filter((one) => !reviewed.some((other) => isSame(one, other)));
  return {
    ...settings,
    own: { ...asked, guards: [...reviewed, ...added.filter((one) => !one.readsPeople)].sort(byName) },
    proposal: { ...settings.proposal, own: tree },
    differences: [...settings.differences, ...differencesOf(reviewed, tree)],
  };
}

function isSame(one: OwnGuard, other: OwnGuard): boolean {
  return one.name === other.name && one.definition === other.definition;
}

function differencesOf(
  reviewed: readonly OwnGuard[],
  tree: readonly OwnGuard[],
): readonly SettingDifference[] {
  const names = [...new Set([...reviewed, ...tree].map(({ name }) => name))].sort();
  return names.flatMap((name): readonly SettingDifference[] => {
    const [inForce, own] = [reviewed, tree].map((guards) => guards.find((one) => one.name === name));
    if (inForce !== undefined && own !== undefined && isSame(inForce, own)) return [];
    return [
      {
        setting: nameOfOwnGuard({ name }),
        effect: inForce === undefined ? "tightens" : "loosens",
        inForce: shown(inForce),
        workingTree: own?.readsPeople === true ? `${shown(own)} (asked after the merge)` : shown(own),
        place: own?.place ?? null,
      },
    ];
  });
}

/** What a reader sees of a guard: its level and its expression in one line. */
function shown(guard: OwnGuard | undefined): Json {
  return guard === undefined ? null : `${guard.level}: ${guard.trips.trim().replaceAll(/\s+/g, " ")}`;
}

function byName(one: OwnGuard, other: OwnGuard): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.definition < other.definition ? -1 : Number(one.definition > other.definition);
}
