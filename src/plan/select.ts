import type { Desired } from "../current/world.js";
import type { KindOf } from "../kinds/kindOf.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { parseSelector } from "./labels.js";
import type { Mode } from "./plan.js";
import { type Reference, referencesIn, referenceTo } from "./references.js";

/** What of a mode limits a plan to some resources. */
export type Choice = Pick<Mode, "targets" | "selector">;

/**
 * The resources a plan is limited to, and those of lower rank that they point at. A target is an address
 * (`ResourceType/github-team`) or a kind, either with `*` for any letters; labels are selected as kubectl does.
 */
export function select(
  desired: readonly Desired[],
  choice: Choice,
  kindOf: KindOf,
): Checked<readonly Desired[]> {
  if (choice.targets.length === 0 && choice.selector === null) return { value: desired, diagnostics: [] };
  const { value: hasLabels, diagnostics } = parseSelector(choice.selector ?? "");
  const wanted = desired.filter(
    ({ resource }) => isTarget(choice, resource.address) && hasLabels(resource.labels),
  );
  return { value: withNeeded(wanted, desired, kindOf), diagnostics };
}

/** Whether a limited plan still looks at an object that has no manifest: its labels are not known. */
export function selectsOrphan(choice: Choice, address: Address): boolean {
  return choice.selector === null && isTarget(choice, address);
}

/** Targets that are the address of nothing. */
export function idleTargets(choice: Choice, addresses: readonly Address[]): readonly Diagnostic[] {
  return choice.targets
    .filter((target) => !addresses.some((address) => fits(target, address)))
    .map((target) => ({
      code: "plan/idle-target",
      severity: "error",
      message: `nothing is called ${target}`,
      hint: "A target is a kind, or an address as `Kind/name`; `*` stands for any letters.",
    }));
}

/** A selector that no resource has the labels of. */
export function idleSelector(
  { selector }: Choice,
  desired: readonly Desired[],
  selected: readonly Desired[],
): readonly Diagnostic[] {
  if (selector === null || desired.length === 0 || selected.length > 0) return [];
  return [
    {
      code: "plan/idle-selector",
      severity: "warning",
      message: `the selector ${selector} selects no resource`,
      hint: "Labels stand under `metadata.labels`. Nothing is planned.",
    },
  ];
}

function isTarget({ targets }: Choice, address: Address): boolean {
  return targets.length === 0 || targets.some((target) => fits(target, address));
}

function fits(target: string, address: Address): boolean {
  return globbed(target, target.includes("/") ? formatAddress(address) : address.kind);
}

/** Compares without a regular expression of the user's making: every part between the stars in turn. */
function globbed(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (!text.startsWith(head)) return false;
  if (rest.length === 0) return text === pattern;
  const tail = rest.at(-1) ?? "";
  let at = head.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

function withNeeded(wanted: readonly Desired[], all: readonly Desired[], kindOf: KindOf): readonly Desired[] {
  const byName = new Map<Reference, Desired>();
  for (const one of all) {
    const kind = kindOf(one.resource.address);
    const name = one.key === null || !kind.isPointedAt ? undefined : referenceTo(kind, one.key);
    if (name !== undefined) byName.set(name, one);
  }
  const chosen = new Set(wanted);
  for (const one of chosen) {
    const kind = kindOf(one.resource.address);
    for (const reference of referencesIn({ ...one.identity, ...one.fields }, kind.shape)) {
      const needed = byName.get(reference);
      if (needed !== undefined && kindOf(needed.resource.address).rank < kind.rank) chosen.add(needed);
    }
  }
  return [...chosen];
}
