import type { Rewrites } from "../../kinds/kind.js";
import { kindOf } from "../../kinds/kindOf.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { pendingId } from "../../model/pending.js";
import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import { blockedInstead, type Decision } from "./decision.js";
import type { Situation } from "./situation.js";

type Wanted = readonly (readonly [Desired, Pick<Situation, "seen">])[];

/** An object whose manifest makes the service write into others of its app. */
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
  const rewriters = wanted.flatMap(([desired]) => rewriterIn(desired) ?? []);
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

/** A decision that says how many objects the service writes into by itself once it is applied. */
export function withRewritten(decision: Decision, rewritten: ReadonlyMap<string, number | null>): Decision {
  const count = rewritten.get(formatAddress(decision.address));
  if (count === undefined || count === 0 || !writes(decision)) return decision;
  return { ...decision, remarks: [...decision.remarks, { about: "rewrites", count }] };
}

function rewriterIn({ resource: { address }, key, fields: own }: Desired): Rewriter | null {
  const { rewrites } = kindOf(address);
  const types = rewrites?.types(own) ?? [];
  if (rewrites === undefined || types.length === 0) return null;
  const { kind, fields, lock } = rewrites;
  return { kind, fields, lock, address, app: key?.[0] ?? pendingId(address), types };
}

function rewrittenBy(
  by: Rewriter,
  { resource: { address }, identity, owned, fields: own }: Desired,
  seen: Situation["seen"],
): readonly Rewritten[] {
  const { kind, lock, app, types } = by;
  if (address.kind !== kind || identity.appId !== app) return [];
  const shown: JsonObject = seen.as === "present" ? { ...seen.madeWith, ...seen.fields } : {};
  const isLocked = (owned.includes(lock) ? own[lock] : shown[lock]) === true;
  const type = identity.appResourceTypeId ?? shown.appResourceTypeId;
  if (isLocked || typeof type !== "string" || !types.includes(type)) return [];
  const fields = by.fields.filter((name) => owned.includes(name));
  return fields.length === 0 ? [] : [{ by, address, fields }];
}
