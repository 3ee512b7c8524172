import { isObject, type Json, same } from "../../../model/json.js";
import { type Acknowledgement, endOf, type Term, WHOLE_PLAN } from "../../../plan/guards/acknowledge.js";
import { nameOfAcknowledgement } from "../../../plan/guards/rules.js";
import { type Ignored, ignoredFault } from "../../../plan/unmanaged/ignored.js";
import { type EntryFault, intent, list, part, row, type SettingPart } from "../row.js";

type Acknowledgements = readonly Acknowledgement[];

/** What answers the guards; the working tree may take an entry back, and end one earlier. */
export const acknowledgements = row<Acknowledgements>({
  name: "acknowledge",
  read: (value, file) =>
    list(value, (one, place) => ({
      by: "project",
      guard: String(one.guard),
      address: one.address === WHOLE_PLAN ? null : String(one.address),
      until: String(one.until),
      reason: String(one.reason),
      of: typeof one.of === "string" ? one.of : null,
      span: file?.placeOf(["acknowledge", place]).span ?? null,
    })),
  fallback: [],
  decides: {
    is: "limit",
    isWithin: isWithinTerm,
    tighter: (inForce, tree, term) => tighterAcknowledgements(withoutLong(inForce, term), tree),
  },
  parts: (value) => value.map(partOf),
  printed: (value) => value.map(withoutSpan),
  entries: {
    holding: (value, term) => value.filter((one) => one.by === "flag" || endOf(one.until, term) === null),
    ended: (value, term) => value.filter((one) => endCode(one, term) === "guard/expired"),
    faults,
  },
});

const OVER = "ignore/expired";

/** Unmanaged objects that are not reported. An entry hides objects from the reader, whatever it says. */
export const ignored = row<readonly Ignored[]>({
  name: "ignore",
  read: (value, file) =>
    list(value, (one, place) => ({
      objects: String(one.objects),
      until: String(one.until),
      reason: String(one.reason),
      span: file?.placeOf(["ignore", place]).span ?? null,
    })),
  fallback: [],
  decides: intent(() => true),
  parts: (value) =>
    value.map(({ objects, until, reason, span }, place) => ({
      ...part(`ignore.${objects}`, { until, reason }, `until ${until}: ${reason}`),
      path: ["ignore", place],
      span,
    })),
  printed: (value) => value.map(({ span: _, ...entry }) => entry),
  entries: {
    holding: (value, term) => value.filter((one) => ignoredFault(one, term) === null),
    ended: (value, term) => value.filter((one) => ignoredFault(one, term)?.code === OVER),
    // One that has ended reports its objects again, so it needs no correction at once.
    faults: (value, term) =>
      value.flatMap((one, place) => {
        const why = ignoredFault(one, term);
        if (why === null) return [];
        const severity = why.code === OVER ? "warning" : "error";
        return [{ ...why, severity, path: ["ignore", place, "until"] }];
      }),
  },
});

function endCode(one: Acknowledgement, term: Term): string | null {
  return one.by === "flag" ? null : (endOf(one.until, term)?.code ?? null);
}

function partOf(one: Acknowledgement, place: number): SettingPart {
  const name = nameOfAcknowledgement(one);
  if (one.by === "flag") return part(name, null);
  const { until, reason, span } = one;
  return {
    ...part(name, { until, reason }, `until ${until}: ${reason}`),
    path: ["acknowledge", place],
    span,
  };
}

function withoutSpan(one: Acknowledgement): Json {
  if (one.by === "flag") return { ...one };
  const { span: _, ...rest } = one;
  return rest;
}

/** Those whose last day is not a day, or is too far away. One that has expired is reported where a plan still needs it. */
function faults(value: Acknowledgements, term: Term): readonly EntryFault[] {
  return value.flatMap((one, place): readonly EntryFault[] => {
    const why = one.by === "project" ? endOf(one.until, term) : null;
    if (why === null || why.code === "guard/expired") return [];
    const message = `the acknowledgement of ${one.guard} ${why.message}`;
    return [{ ...why, message, severity: "error", path: ["acknowledge", place, "until"] }];
  });
}

/** An acknowledgement that ends too late never holds, so the working tree cannot make it hold by an earlier end. */
function withoutLong(value: Acknowledgements, term: Term): Acknowledgements {
  return value.filter((one) => [null, "guard/expired"].includes(endCode(one, term)));
}

/** An acknowledgement that is gone, or that ends earlier for the same reason. */
function isWithinTerm(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined) return true;
  if (!isObject(one) || !isObject(other)) return false;
  return String(one.until) <= String(other.until) && one.reason === other.reason;
}

function tighterAcknowledgements(inForce: Acknowledgements, tree: Acknowledgements): Acknowledgements {
  return inForce.flatMap((one): Acknowledgements => {
    const name = nameOfAcknowledgement(one);
    const own = tree.filter((other) => nameOfAcknowledgement(other) === name);
    if (own.length === 0) return [];
    const isSame = (other: Acknowledgement) => same(termOf(other), termOf(one));
    const last = own.some(isSame) ? one : own.toSorted(byEnd).at(-1);
    return [last !== undefined && isWithinTerm(termOf(last), termOf(one)) ? last : one];
  });
}

function termOf(one: Acknowledgement): Json {
  return one.by === "flag" ? null : { until: one.until, reason: one.reason };
}

function byEnd(one: Acknowledgement, other: Acknowledgement): number {
  return one.by === "flag" || other.by === "flag" ? 0 : one.until < other.until ? -1 : 1;
}
