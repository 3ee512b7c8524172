import { recordedFields } from "../../diff/kept.js";
import { kindOf } from "../../kinds/index.js";
import type { Rewrites } from "../../kinds/kind.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { pendingId } from "../../model/pending.js";
import type { Entry } from "../../state/snapshot.js";
import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import { blockedInstead, type Decision } from "./decision.js";
import type { Situation } from "./situation.js";

type Wanted = readonly (readonly [Desired, Pick<Situation, "seen">])[];

type Rewriting = NonNullable<Situation["rewriting"]>;

/** An object that makes the service write into others of its app. */
interface Rewriter extends Pick<Rewrites, "kind" | "fields" | "lock"> {
  readonly address: Address;
  readonly app: string;
  /** The resource types in whose entitlements it writes. */
  readonly types: readonly string[];
}

/** An object that a manifest writes, and the service, too, because of another one. */
interface Rewritten {
  readonly by: Rewriter;
  readonly address: Address;
  readonly fields: readonly string[];
}

/**
 * Decisions, those blocked by which the service would write again, by itself, what a manifest writes. It does so after a
 * write of what makes it; where neither is written, nothing happens.
 */
export function unlessRewritten(decisions: readonly Decision[], wanted: Wanted): readonly Decision[] {
  const rewriters = wanted.flatMap(([desired]) => rewriterIn(desired, desired.fields) ?? []);
  const found = rewriters.flatMap((by) => wanted.flatMap(([one, { seen }]) => rewrittenBy(by, one, seen)));
  if (found.length === 0) return decisions;
  return decisions.map((decision) => {
    if (!writes(decision)) return decision;
    const isIt = (address: Address) => formatAddress(address) === formatAddress(decision.address);
    const { span } = decision.managed;
    const block = (diagnostic: Diagnostic) => blockedInstead(decision, "managed elsewhere", [diagnostic]);
    const own = found.find(({ address }) => isIt(address));
    if (own !== undefined) {
      const { by, fields } = own;
      return block(say("plan/rewritten#own", { by: by.address, fields, lock: by.lock }, { span }));
    }
    const [other, ...more] = found.filter(({ by }) => isIt(by.address));
    if (other === undefined) return decision;
    const others = [other, ...more].map(({ address }) => address);
    return block(say("plan/rewritten#others", { others, lock: other.by.lock }, { span }));
  });
}

/** The fields of each object that the service is writing into now: what it shows of them is not known to last. */
export function beingRewritten(wanted: Wanted): ReadonlyMap<Desired, Rewriting> {
  const running = wanted.flatMap(([desired, { seen }]): Rewriter | [] => {
    const { rewrites } = kindOf(desired.resource.address);
    if (rewrites === undefined || seen.as !== "present") return [];
    return rewrites.isRunning(seen.partsSay ?? {}) ? (rewriterIn(desired, seen.fields) ?? []) : [];
  });
  return new Map(
    running.flatMap((by) =>
      wanted.flatMap(([desired, { seen }]) => {
        const isOpen = seen.as === "present" && seen.fields[by.lock] !== true;
        return isOpen && isReached(by, desired, seen)
          ? [[desired, { by: by.address, fields: by.fields }] as const]
          : [];
      }),
    ),
  );
}

/**
 * An object while the service writes into it: those fields are as recorded, and not wanted where they are not recorded, so that
 * nothing of them is compared.
 */
export function whileRewritten(
  desired: Desired,
  situation: Situation,
): { readonly desired: Desired; readonly situation: Situation } {
  const { rewriting, seen, entry } = situation;
  if (rewriting === undefined || seen.as !== "present") return { desired, situation };
  const { fields } = rewriting;
  const applied = entry?.applied ?? {};
  const isKept = (name: string) => !fields.includes(name) || Object.hasOwn(applied, name);
  return {
    desired: {
      ...desired,
      owned: desired.owned.filter(isKept),
      fields: replaced(desired.fields, applied, fields),
    },
    situation: { ...situation, seen: { ...seen, fields: replaced(seen.fields, applied, fields) } },
  };
}

/** A decision about an object that the service is writing into: it says so, and a write waits until that has ended. */
export function unlessRunning(decision: Decision, { rewriting }: Situation): Decision {
  if (rewriting === undefined) return decision;
  const { span } = decision.managed;
  if (writes(decision))
    return blockedInstead(decision, "managed elsewhere", [
      say("plan/defaults-rewriting#write", { by: rewriting.by }, { span }),
    ]);
  const diagnostics = [...decision.diagnostics, sayRewriting(rewriting, span)];
  return { ...decision, diagnostics, ...(decision.reason === "in sync" && { reason: "settling" }) };
}

/** What is seen of an object that the service writes into, with those fields as they are recorded. */
export function asBefore(seen: JsonObject, entry: Entry, { fields }: Rewriting): JsonObject {
  return replaced(seen, recordedFields(entry), fields);
}

/** That those fields are not known. */
export function sayRewriting({ by, fields }: Rewriting, span: Span | null): Diagnostic {
  return say("plan/defaults-rewriting#fields", { by, fields }, { span });
}

function replaced(object: JsonObject, by: JsonObject, names: readonly string[]): JsonObject {
  const entries = (of: JsonObject, are: boolean) =>
    Object.entries(of).filter(([name]) => names.includes(name) === are);
  return Object.fromEntries([...entries(object, false), ...entries(by, true)]);
}

/** A decision that says how many objects the service writes into by itself once it is applied. */
export function withRewritten(decision: Decision, rewritten: ReadonlyMap<string, number | null>): Decision {
  const count = rewritten.get(formatAddress(decision.address));
  if (count === undefined || count === 0 || !writes(decision)) return decision;
  return { ...decision, remarks: [...decision.remarks, { about: "rewrites", count }] };
}

function rewriterIn({ resource: { address }, key }: Desired, own: JsonObject): Rewriter | null {
  const { rewrites } = kindOf(address);
  const types = rewrites?.types(own) ?? [];
  if (rewrites === undefined || types.length === 0) return null;
  const { kind, fields, lock } = rewrites;
  return { kind, fields, lock, address, app: key?.[0] ?? pendingId(address), types };
}

function rewrittenBy(by: Rewriter, desired: Desired, seen: Situation["seen"]): readonly Rewritten[] {
  const { resource, owned, fields: own } = desired;
  const fields = by.fields.filter((name) => owned.includes(name));
  const isLocked = owned.includes(by.lock) ? own[by.lock] === true : shownBy(seen)[by.lock] === true;
  if (isLocked || fields.length === 0 || !isReached(by, desired, seen)) return [];
  return [{ by, address: resource.address, fields }];
}

/** Whether an object is of the app and of a type that the service writes into, locked or not. */
function isReached(
  { kind, app, types }: Rewriter,
  { resource, identity }: Desired,
  seen: Situation["seen"],
): boolean {
  if (resource.address.kind !== kind || identity.appId !== app) return false;
  const type = identity.appResourceTypeId ?? shownBy(seen).appResourceTypeId;
  return typeof type === "string" && types.includes(type);
}

function shownBy(seen: Situation["seen"]): JsonObject {
  return seen.as === "present" ? { ...seen.madeWith, ...seen.fields } : {};
}
