import { type Explained, explain, explainUnseen, recordIsStale, withRespelled } from "../../diff/cause.js";
import { placeOf } from "../../diff/kept.js";
import { carryOver, givenBack, owns, type Unit, unitsOf } from "../../diff/own.js";
import { ofItsParent } from "../../kinds/alike.js";
import type { Interface } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { isFindable } from "../../kinds/listing.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { type JsonObject, same } from "../../model/json.js";
import type { Meanings } from "../../model/meaning.js";
import { formatPath } from "../../model/path.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import type { Desired, Seen } from "../../tenant/known.js";
import { inNames } from "../../tenant/names/unclear.js";
import { say } from "../../words/say.js";
import { acceptedFrom } from "../record/driftedFrom.js";
import { isHiddenRelease, UNPROTECTED } from "../record/hiddenRelease.js";
import { proven } from "../record/proof.js";
import { ownCreate } from "../record/record.js";
import { changedAt, type FieldChange, type Reason, restoring } from "../step.js";
import { alertsIn, beyondCalls, troubleOf } from "./alerts.js";
import { createOnlyEdits, createOnlySpansOf, sayEdited, unverifiedIn } from "./createOnly.js";
import { type Decision, isProtected, keeping, unlessRefused } from "./decision.js";
import { elsewhere, existenceOf, isElsewhere, missingParent } from "./existence.js";
import { placed } from "./placed.js";
import { unlessRunning, whileRewritten } from "./rewritten.js";
import { contestedIn, NO_UNKNOWN_FIELDS, restorable, type Situation, unknownFieldsIn } from "./situation.js";
import { withListedParts } from "./together.js";
import { aboutUncertain, afterUncertain } from "./uncertain.js";
import { whyUnseen } from "./whyUnseen.js";
import { widenedIn } from "./widened.js";

const REWRITES = ["set", "update", "create"] as const;

/** What is done about a resource that has a manifest. */
export function decide(written: Desired, known: Situation): Decision {
  const { desired: wanted, situation } = whileRewritten(written, known);
  const { desired, notes, isSettling, obstacle } = withListedParts(wanted, situation);
  const decision =
    obstacle === null
      ? unlessRunning(unlessRefused(decideBySight(desired, situation), desired, situation), situation)
      : block(undecided(desired, situation), "reference not found", [obstacle]);
  const { span } = decision.managed;
  const unprotected = isHiddenRelease(decision, situation.entry) ? [say(UNPROTECTED, {}, { span })] : [];
  const { seen, kind } = known;
  const made = seen.as === "present" ? ownCreate(situation, decision) : null;
  const isDrifted = decision.changes.some(isOfTenant) && seen.as === "present";
  const unverified = decision.action === "blocked" ? [] : unverifiedIn(decision, situation);
  return {
    ...proven(decision, seen, situation.entry),
    ...(isSettling && decision.reason === "in sync" && { reason: "settling" }),
    diagnostics: [
      ...desired.warnings,
      ...notes,
      ...troubleOf(decision, seen),
      ...beyondCalls(decision, seen, kind),
      ...twinsOf(decision, seen, kind),
      ...(made === null ? [] : [say("plan/found-again", { create: aboutUncertain(made) }, { span })]),
      ...alertsIn(decision, desired, kind),
      ...unverified,
      ...decision.diagnostics,
      ...unprotected,
    ],
    remarks: isDrifted ? [...decision.remarks, ...changedAt(seen.changedAt)] : decision.remarks,
  };
}

/** Whether the tenant changed a field since the last apply. */
function isOfTenant({ cause }: FieldChange): boolean {
  return cause === "drifted" || cause === "both";
}

function decideBySight(desired: Desired, situation: Situation): Decision {
  const { seen, uncertain, kind } = situation;
  const base = undecided(desired, situation);
  // A list may lag behind a create, so that what it does not show may exist, and a name does not tell two of them apart.
  const isHidden = seen.as === "absent" && kind.namesRepeat === true;
  if (uncertain !== null && (seen.as === "recorded" || isHidden || !isFindable(kind, base.key))) {
    const next = afterUncertain({ address: base.address, key: uncertain.key });
    const values = { uncertain: aboutUncertain(uncertain), why: uncertain.why, next };
    return block(base, "outcome uncertain", [
      say("plan/uncertain#step", values, { span: base.managed.span }),
    ]);
  }
  switch (seen.as) {
    case "unread":
      return block(base, whyUnread(seen), [seen.diagnostic]);
    case "absent": {
      const renamed = isHidden ? lostCreateOf(desired, situation) : undefined;
      if (renamed !== undefined) return block(base, "outcome uncertain", [renamedUncertain(base, renamed)]);
      return decideAbsent(base, desired, situation);
    }
    case "present":
      if (seen.managedBy !== undefined) {
        return decideManaged(base, desired, { ...seen, managedBy: seen.managedBy }, situation);
      }
      return decideKnown(base, desired, seen.fields, situation);
    case "recorded":
      return seen.fields === null
        ? decideUnknown(base, desired, situation)
        : decideKnown(base, desired, seen.fields, situation);
  }
}

/** The create of unknown result that a manifest may have meant under another address. */
function lostCreateOf(
  { identity, fields }: Desired,
  { lostCreates, kind }: Situation,
): Uncertain | undefined {
  const isAlike = ({ applied, createOnly = applied }: Uncertain) =>
    kind.matches?.({ ...identity, ...fields }, { key: [], fields: applied, madeWith: createOnly }) === true;
  return lostCreates.find(isAlike);
}

function renamedUncertain({ managed: { span } }: Decision, create: Uncertain): Diagnostic {
  const { address } = create;
  const values = {
    address,
    create: aboutUncertain(create),
    name: address.name,
    next: afterUncertain(create),
  };
  return say("plan/uncertain#renamed", values, { span });
}

function twinsOf({ managed: { span } }: Decision, seen: Seen, kind: Kind): readonly Diagnostic[] {
  if (seen.as !== "present" || seen.twins === undefined) return [];
  const { key, twins } = seen;
  const others = twins.length === 1 ? `another ${kind.noun.one}` : `${twins.length} other ${kind.noun.many}`;
  const where = ofItsParent(kind);
  const values = { others, where, count: twins.length, id: key.at(-1) ?? "", names: inNames(twins) };
  return [say("reference/remembered#twins", values, { span })];
}

/** A step that keeps everything, to be made more of. */
function undecided(desired: Desired, { seen, entry, kind }: Situation): Decision {
  const { resource, identity, owned } = desired;
  const returned = entry === null ? [] : givenBack(entry.applied, owned, kind.shape);
  const isRenamed = entry !== null && formatAddress(entry.address) !== formatAddress(resource.address);
  return keeping({
    address: resource.address,
    key: desired.key ?? (seen.as === "present" ? seen.key : null),
    sight: { exists: existenceOf(seen), fingerprint: null },
    managed: {
      span: resource.place([]).span,
      labels: resource.labels,
      meanings: desired.meanings,
      createOnlySpans: createOnlySpansOf(desired, kind),
      identity,
      owned,
      protected: isProtected(resource),
    },
    recorded: { renamedFrom: isRenamed ? entry.address : null, givenBack: returned, record: null },
    remarks: entry === null ? [] : restoring(restorable(entry, returned, seen, kind)),
  });
}

/** The service was asked, and has no such object. */
function decideAbsent(base: Decision, desired: Desired, situation: Situation): Decision {
  const { kind, on, entry } = situation;
  const { address } = base;
  const { span } = base.managed;
  if (kind.verbs[on].includes("set")) {
    const values = { missing: missingParent(base.managed.identity, kind), fields: kind.shape.identity };
    return block(base, "parent missing", [say("plan/parent-missing", values, { span })]);
  }
  if (!canCreate(base, situation)) return cannotCreate(base, kind, on);
  if (isElsewhere(kind, base.managed.identity, situation.names))
    return block(base, "cannot create", [elsewhere(base.managed, kind)]);
  const { strangers, mayReplaceUnseen } = situation;
  if (strangers.length > 0 && !mayReplaceUnseen) {
    const identity = kind.shape.identity.at(-1) ?? "";
    const values = { noun: kind.noun.one, identity, strangers: inNames(strangers), address };
    return block(base, "may exist", [say("plan/may-exist", values, { span })]);
  }
  const created = create(base, desired, situation, entry === null ? "not in tenant" : "gone from tenant");
  return strangers.length > 0 ? { ...created, sight: { ...created.sight, unseen: "may exist" } } : created;
}

/** Nothing is known of the object: it was never applied by us, and cannot be read. */
function decideUnknown(base: Decision, desired: Desired, situation: Situation): Decision {
  const { kind, on } = situation;
  const verbs = kind.verbs[on];
  const reason = "never applied";
  // A manifest that owns nothing leaves the object as it is.
  if (desired.owned.length === 0 && !verbs.includes("create")) return base;
  if (verbs.includes("set")) {
    return overHidden(base, desired, situation, (clear) => write(clear, "set", reason, desired, situation));
  }
  if (canCreate(base, situation)) return create(base, desired, situation, reason);
  if (base.key === null || !verbs.includes("update")) return cannotCreate(base, kind, on);
  return write(base, "update", reason, desired, situation);
}

/** Another object of the service manages it: it stays as it is, and the step shows where the manifest differs. */
function decideManaged(
  base: Decision,
  desired: Desired,
  { fields, managedBy }: { readonly fields: JsonObject; readonly managedBy: string },
  { entry, kind: { shape } }: Situation,
): Decision {
  const { span } = base.managed;
  const wanted = carryOver(fields, desired.fields, desired.owned, shape);
  const differing = explain(fields, wanted, desired.owned, entry, shape, []);
  const changes = differing.map(({ change }): Explained => ({ change, cause: "first" }));
  const differs = changes.map(({ change }) => formatPath(placeOf(change)));
  const said =
    differs.length === 0
      ? say("plan/managed-elsewhere", { by: managedBy }, { span })
      : say("plan/managed-otherwise", { by: managedBy, fields: differs }, { span });
  return { ...base, reason: "managed elsewhere", changes: placed(changes, desired), diagnostics: [said] };
}

/** The object is there, as read or as recorded. */
function decideKnown(base: Decision, desired: Desired, current: JsonObject, situation: Situation): Decision {
  const { kind, on, entry, seen } = situation;
  const fixed = createOnlyEdits(base, situation);
  if (fixed.length > 0) {
    const why = fixed.map((edit) => sayEdited(edit, base, desired, kind));
    return block(base, "create-only field edited", why);
  }
  const after = carryOver(current, desired.fields, desired.owned, kind.shape);
  const isRecorded = seen.as === "recorded" && entry !== null;
  const { unknown, unseen } = isRecorded
    ? unknownFieldsIn(entry, desired.owned, kind, on)
    : NO_UNKNOWN_FIELDS;
  const found = explain(current, after, desired.owned, entry, kind.shape, unknown, unseen);
  const { span } = base.managed;
  const contested = contestedIn(found, situation);
  if (contested.length > 0)
    return { ...base, diagnostics: [say("plan/contested", { fields: contested }, { span })] };
  if (found.length === 0) return inSync(base, desired, current, after, situation);

  const verb = REWRITES.find((candidate) => kind.verbs[on].includes(candidate));
  if (verb === undefined) return cannotCreate(base, kind, on);
  const again = verb === "create" ? [say("plan/create-again", { noun: kind.noun.one }, { span })] : [];
  const widened = widenedIn(current, after, kind.shape);
  const wider = widened.length === 0 ? [] : [say("plan/wider", { paths: widened }, { span })];
  const rewrite = (clear: Decision): Decision => ({
    ...clear,
    action: verb,
    reason: "differs",
    changes: placed(withRespelled(found, current, after, desired.owned, kind.shape), desired),
    before: current,
    after,
    recorded: {
      ...clear.recorded,
      driftedFrom: acceptedFrom(entry, current, after, desired.owned, kind.shape),
    },
    diagnostics: [...again, ...wider],
    sight: { ...clear.sight, unseen: whyUnseen(situation) },
  });
  const isWhole = verb === "set" && seen.as === "recorded";
  return isWhole ? overHidden(base, desired, situation, rewrite) : rewrite(base);
}

/** A write of a whole object that cannot be read: blocked, or with what it sends in place of what was not seen. */
function overHidden(
  base: Decision,
  { owned }: Desired,
  { entry, kind, mayReplaceUnseen }: Situation,
  write: (clear: Decision) => Decision,
): Decision {
  const hidden = unitsOf(kind.shape).filter((unit) => !owns(owned, unit));
  if (hidden.length === 0) return write(base);
  if (!mayReplaceUnseen) {
    const { address } = base;
    const { span } = base.managed;
    const names = hidden.map(({ name }) => `\`${name}\``).join(" and ");
    return block(base, "current unknown", [say("plan/unknown-half", { names, address }, { span })]);
  }
  const written = write(base);
  const diagnostics = hidden.map((unit) => unseenHalf(base, unit, written.after ?? {}, entry));
  return {
    ...written,
    diagnostics: [...written.diagnostics, ...diagnostics],
    sight: { ...written.sight, unseen: written.sight.unseen ?? "unseen half" },
  };
}

function unseenHalf(
  { managed: { span } }: Decision,
  unit: Unit,
  after: JsonObject,
  entry: Entry | null,
): Diagnostic {
  const sent = unit.members.flatMap((name) => (Object.hasOwn(after, name) ? [after[name] ?? null] : []));
  const [value] = sent;
  const how =
    value === undefined || entry === null
      ? "clears it, because the state has no record of it"
      : `sends the value that was recorded on ${entry.at.slice(0, 10)}: ${shortened(JSON.stringify(value))}`;
  return say("plan/unseen-half", { name: unit.name, how }, { span });
}

const MOST_SHOWN = 300;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`;
}

/** Nothing to write; what is remembered may still have to follow. */
function inSync(
  base: Decision,
  desired: Desired,
  current: JsonObject,
  after: JsonObject,
  { entry, kind }: Situation,
): Decision {
  const driftedFrom = acceptedFrom(entry, current, after, desired.owned, kind.shape);
  const adopt = (reason: Reason): Decision => ({
    ...base,
    action: "adopt",
    reason,
    before: current,
    after,
    recorded: { ...base.recorded, driftedFrom },
  });
  if (entry === null) return adopt("already as wanted");
  if (driftedFrom !== null) return adopt("drift accepted");
  if (base.recorded.renamedFrom !== null) return adopt("renamed");
  if (entry.former === true) return adopt("managed again");
  if (hasMoved(entry.meanings ?? {}, base.managed.meanings)) return adopt("reference moved");
  if (base.recorded.givenBack.length > 0) return adopt("given back");
  if (entry.protected !== base.managed.protected) return adopt("protection changed");
  // What is in sync with the very value that was applied is in sync with the record.
  if (entry.applied !== current && recordIsStale(entry, after, desired.owned, kind.shape))
    return adopt("already as wanted");
  if (!same(entry.meanings ?? {}, base.managed.meanings)) return adopt("names recorded");
  return base;
}

/** Whether a name means another object than was recorded. */
function hasMoved(before: Meanings, now: Meanings): boolean {
  return Object.entries(now).some(([reference, id]) => (before[reference] ?? id) !== id);
}

/** An id that the service chooses cannot be written in a manifest before the object exists. */
function canCreate({ managed: { identity } }: Decision, { kind, on }: Situation): boolean {
  const isComplete = kind.shape.neededToCreate.every((name) => Object.hasOwn(identity, name));
  const isFree = kind.matches === undefined || kind.key(identity) === null;
  return kind.verbs[on].includes("create") && isComplete && isFree;
}

function cannotCreate(base: Decision, { noun, shape, verbs }: Kind, on: Interface): Decision {
  const why = verbs[on].includes("create") ? "plan/cannot-create#written" : "plan/cannot-create#interface";
  const values = { noun: noun.one, needed: shape.neededToCreate, id: shape.identity.at(-1) ?? "" };
  return block(base, "cannot create", [say(why, values, { span: base.managed.span })]);
}

function create(base: Decision, desired: Desired, situation: Situation, reason: Reason): Decision {
  const key = situation.kind.key(desired.identity);
  return write(
    { ...base, key, recorded: { ...base.recorded, givenBack: [] }, remarks: [] },
    "create",
    reason,
    desired,
    situation,
  );
}

/** A write over nothing known. */
function write(
  base: Decision,
  action: "create" | "update" | "set",
  reason: Reason,
  desired: Desired,
  situation: Situation,
): Decision {
  const { kind } = situation;
  const after = carryOver({}, desired.fields, desired.owned, kind.shape);
  // A create leaves unset what it does not write, so only another write clears something.
  const found =
    action === "create"
      ? explain({}, after, desired.owned, null, kind.shape)
      : explainUnseen(after, desired.owned, kind.shape);
  return {
    ...base,
    action,
    reason,
    changes: placed(found, desired),
    after,
    sight: { ...base.sight, unseen: whyUnseen(situation) },
  };
}

function block(base: Decision, reason: Reason, why: Decision["diagnostics"]): Decision {
  return { ...base, action: "blocked", reason, diagnostics: why };
}

function whyUnread({ diagnostic, namesakes }: Extract<Seen, { readonly as: "unread" }>): Reason {
  if (namesakes !== undefined) return "may exist";
  return diagnostic.code.startsWith("reference/") ? "reference not found" : "read failed";
}
