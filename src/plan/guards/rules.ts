import type { Evaluate } from "../../impact/census.js";
import { type Acknowledgement, type Answering, WHOLE_PLAN } from "./acknowledge.js";
import type { OwnGuard } from "./own/ownGuard.js";
import type { Limits, PlanSettings } from "./settings.js";

/** What guards would be asked with if the working tree's own settings were in force. */
export interface Proposal {
  readonly limits: Limits;
  readonly acknowledgements: readonly Acknowledgement[];
  readonly own: readonly OwnGuard[];
}

/** The guards that a team wrote, and what they are asked with. */
interface OwnGuards {
  /** Those in force, and in addition those that the working tree adds. */
  readonly guards: readonly OwnGuard[];
  /** The name of the context; empty without contexts. */
  readonly context: string;
  readonly evaluate: Evaluate;
}

/** The settings of a run: what its plan says of them, and what the working tree proposes; null where it decides itself. */
export interface SettingsInForce extends PlanSettings {
  readonly proposal: Proposal | null;
  readonly own: OwnGuards;
}

/** By what a plan is judged: the limits, who answers for what, the date, and where all of that is from. */
export interface Rules extends Answering {
  readonly limits: Limits;
  readonly settings: SettingsInForce;
}

/** No guard that a team wrote. */
export const NO_OWN_GUARDS: OwnGuards = { guards: [], context: "", evaluate: () => null };

/** The settings of a run that has no project file. */
export const NO_SETTINGS: SettingsInForce = {
  from: null,
  differences: [],
  loosened: [],
  proposal: null,
  own: NO_OWN_GUARDS,
};

/** The name of a limit in a project file. */
export function nameOfLimit(limit: keyof Limits): string {
  return `guards.${limit}`;
}

/** The name of a guard that a team wrote among the settings. */
export function nameOfOwnGuard({ name }: Pick<OwnGuard, "name">): string {
  return `guards.own.${name}`;
}

/** The name of an acknowledgement among the settings: its guard, its address, and the finding that it is of. */
export function nameOfAcknowledgement(one: Acknowledgement): string {
  const about = `acknowledge.${one.guard}.${one.address ?? WHOLE_PLAN}`;
  return one.by === "flag" || one.of === null ? about : `${about} of ${one.of}`;
}
