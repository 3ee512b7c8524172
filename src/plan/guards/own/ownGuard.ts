import type { Labels } from "../../select/labels.js";
import type { Step } from "../../step.js";
import type { SettingPlace } from "../settings.js";

/** What is done by a step as guards name it. `accept` takes over what the tenant changed. */
export const GUARD_ACTIONS = ["create", "update", "replace", "delete", "accept", "adopt", "forget"] as const;

/** One of them. */
export type GuardAction = (typeof GUARD_ACTIONS)[number];

/** The actions that a guard is asked about where it names none: those that change the tenant, or accept a change of it. */
const USUAL: readonly GuardAction[] = ["create", "update", "replace", "delete", "accept"];

/** What a guard is asked about: a plan, or the steps to which all of this applies; null for no condition. */
export type GuardScope =
  | { readonly as: "plan" }
  | {
      readonly as: "steps";
      readonly kinds: readonly string[] | null;
      readonly actions: readonly GuardAction[] | null;
      readonly labels: Readonly<Record<string, string>>;
      readonly contexts: readonly string[] | null;
    };

/** What a finding of a guard blocks: nothing, an apply until someone acknowledges it, or any apply. */
export type GuardLevel = "note" | "acknowledge" | "deny";

/** A guard that a team wrote. */
export interface OwnGuard {
  /** Its finding is called `own/NAME`. */
  readonly name: string;
  readonly on: GuardScope;
  readonly trips: string;
  readonly message: string;
  readonly level: GuardLevel;
  /** The SHA-256 of all that decides: two guards with the same are one. */
  readonly definition: string;
  readonly place: SettingPlace;
  /** Whether it asks who gains, loses or holds something: people then have to be counted. */
  readonly readsPeople: boolean;
  /** Whether labels decide: those that it is about, or those that its expression asks for. */
  readonly readsLabels: boolean;
  /** The entitlements for which it asks who holds them, as it writes them: app and entitlement. */
  readonly holds: readonly (readonly [app: string, entitlement: string])[];
}

/** The name of a guard in findings, acknowledgements and reports. */
export function ownName({ name }: Pick<OwnGuard, "name">): string {
  return `own/${name}`;
}

/** The code of a guard's finding, of a guard that a team wrote as of remit's own. */
export function codeOf(guard: string): string {
  return guard.startsWith("own/") ? guard : `guard/${guard}`;
}

/** What to do about a finding that is denied. */
export const DENIED = "It cannot be acknowledged: change the manifest, or review the guard.";

/** What is done by a step; null where nothing is done. */
export function guardActionOf({
  action,
  recorded: { driftedFrom },
}: Pick<Step, "action" | "recorded">): GuardAction | null {
  switch (action) {
    case "set":
      return "update";
    case "adopt":
      return driftedFrom === null ? "adopt" : "accept";
    case "create":
    case "update":
    case "replace":
    case "delete":
    case "forget":
      return action;
    case "keep":
      return driftedFrom === null ? null : "accept";
    case "removed":
    case "blocked":
      return null;
    default:
      return action satisfies never;
  }
}

/** Whether a guard is asked about a step; `labels` are null where they are unknown, and may then be any. */
export function concerns(
  { on }: Pick<OwnGuard, "on">,
  step: { readonly kind: string; readonly action: GuardAction; readonly labels: Labels | null },
  context: string,
): boolean {
  if (on.as === "plan") return false;
  const { labels } = step;
  return (
    (on.kinds === null || on.kinds.includes(step.kind)) &&
    (on.actions ?? USUAL).includes(step.action) &&
    (on.contexts === null || on.contexts.includes(context)) &&
    (labels === null || Object.entries(on.labels).every(([name, value]) => labels[name] === value))
  );
}
