import { touches } from "../../diff/change.js";
import { compare } from "../../diff/compare.js";
import { ours, owns, unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { type Authorship, commitOfLines } from "../../manifest/git/authorship.js";
import type { EarlierRemoval } from "../../manifest/git/earlierProject.js";
import type { Source } from "../../manifest/source.js";
import { formatAddress, withoutKey } from "../../model/address.js";
import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import { blockedInstead, isProtected } from "../decide/decision.js";
import { awaitedBy } from "../pendingStep.js";
import { type Removal, type Removals, removalOf } from "../removed/decision.js";
import type { Edit, FieldChange, Step } from "../step.js";

/** What a change did to the project: to its manifests, and to what is decided about objects without one. */
export interface ProjectChange {
  /** The addresses of the manifests that say what they said. */
  readonly unchanged: ReadonlySet<string>;
  /** What earlier manifests asked for, by address; not those whose names mean nothing clear any more. */
  readonly before: ReadonlyMap<string, Desired>;
  /** The objects of the earlier manifests that describe no object of the project any more: by key, or where that is not known by address. */
  readonly removed: ReadonlySet<string>;
  readonly decisions: readonly EarlierRemoval[];
  readonly prunes: boolean;
  readonly authorship: Authorship;
  /** The texts of the project, by file: what the lines of `authorship` are compared with. */
  readonly texts: ReadonlyMap<Source["file"], string>;
}

/** The change, with the objects whose manifests left the project, once reading has found their keys. */
export function withRemoved(change: ProjectChange, removed: readonly Desired[]): ProjectChange {
  const names = removed.map(({ resource: { address }, key }) =>
    key === null ? formatAddress(address) : formatKey(address.kind, key),
  );
  return { ...change, removed: new Set([...change.removed, ...names]) };
}

/** The steps that a change leads to, and those that were pending without it. */
export interface Parted {
  readonly steps: readonly Step[];
  readonly pending: readonly Step[];
}

/** What tells the steps of a change from the others. */
interface Parting {
  readonly desired: readonly Desired[];
  readonly removals: Removals;
  readonly change: ProjectChange;
}

/**
 * Divides ordered steps. What a step of the change needs and only an earlier change would do blocks it. A step that does
 * nothing and says nothing stays: it counts as unchanged.
 */
export function part(steps: readonly Step[], parting: Parting): Parted {
  const wanted = new Map(parting.desired.map((one) => [formatAddress(one.resource.address), one]));
  const kept: Step[] = [];
  const pending: Step[] = [];
  const names = new Set<string>();
  for (const step of steps) {
    const name = formatAddress(step.address);
    const desired = wanted.get(name);
    const isOfChange = desired === undefined ? isRemovedBy(step, parting) : isEditedBy(desired, parting);
    const isIdle = step.action === "keep" && step.diagnostics.length === 0;
    if (!isOfChange && !isIdle) {
      pending.push(step);
      continue;
    }
    const isKept = (address: Step["address"]) => names.has(formatAddress(address));
    const missing = step.needs.filter((address) => !isKept(address));
    const awaited = new Set(awaitedBy(step));
    const follows = step.follows.filter((one) => awaited.has(one) || isKept(one));
    const known = { ...step, needs: step.needs.filter(isKept), follows };
    names.add(name);
    if (missing.length > 0 && writes(step)) kept.push(blockedBy(known, missing));
    else kept.push(desired === undefined ? known : explained(known, desired, parting.change));
  }
  const whole = kept.map((step) => {
    const missing = awaitedBy(step).filter((address) => !names.has(formatAddress(address)));
    return missing.length > 0 ? blockedBy(step, missing) : step;
  });
  return { steps: whole, pending };
}

/** Whether a manifest asks for something else than it did, in its meaning or in the object that it means. */
function isEditedBy(now: Desired, { change }: Parting): boolean {
  const name = formatAddress(now.resource.address);
  if (change.unchanged.has(name)) return false;
  const then = change.before.get(name);
  return then === undefined || !asksTheSame(then, now);
}

function asksTheSame(one: Desired, other: Desired): boolean {
  const meaning = ({ identity, owned, fields, meanings, resource }: Desired) => ({
    identity: { ...identity },
    owned: [...owned].sort(),
    fields: { ...fields },
    meanings: { ...meanings },
    isProtected: isProtected(resource),
  });
  return same(meaning(one), meaning(other));
}

/** Whether the change took away the manifest of an object, or decides otherwise about the object. */
function isRemovedBy({ address, key }: Step, { removals, change }: Parting): boolean {
  if (key === null) return true;
  const plain = withoutKey(address, key);
  const names = [formatKey(address.kind, key), formatAddress(plain)];
  if (names.some((name) => change.removed.has(name))) return true;
  if (removals.isPruneStanding && !change.prunes) return true;
  const object = { address: plain, key };
  const now = removalOf(object, removals.decisions);
  const then = removalOf(object, change.decisions.map(asRemoval));
  return now !== null && now.decision !== then?.decision;
}

function asRemoval({ address, key, decision }: EarlierRemoval): Removal {
  return { address, key, decision: decision === "forget" ? "forget" : "delete", span: null };
}

function blockedBy(step: Step, needs: Step["needs"]): Step {
  const why = say("plan/need-pending", { needs }, { span: step.managed.span });
  return { ...blockedInstead(step, "need blocked", [...step.diagnostics, why]), calls: [] };
}

/** The step with the commit of every field that the change edited. */
function explained(step: Step, { resource, fields, owned }: Desired, change: ProjectChange): Step {
  const then = change.before.get(formatAddress(resource.address));
  const { shape } = kindOf(step.address);
  const edits = unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .flatMap((unit) => compare(then === undefined ? {} : ours(then.fields, then.owned), fields, unit.shape));
  const isEdited = ({ change: one }: FieldChange) => then === undefined || touches(edits, one);
  return {
    ...step,
    changes: step.changes.map((one) => (isEdited(one) ? { ...one, edit: editOf(one, change) } : one)),
  };
}

function editOf({ span }: FieldChange, { authorship, texts }: ProjectChange): Edit {
  const file = span === null ? undefined : authorship[span.file];
  // A file that differs from HEAD has other lines there.
  const isCommitted = file !== undefined && span !== null && texts.get(span.file) === file.text;
  const commit = isCommitted ? commitOfLines(file, span.start.line, lastLineOf(span)) : null;
  return { commit: commit?.id ?? null, author: commit?.author ?? null };
}

function lastLineOf({ start, end }: NonNullable<FieldChange["span"]>): number {
  return end.column === 1 ? Math.max(start.line, end.line - 1) : end.line;
}
