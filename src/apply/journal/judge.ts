import type { Kind } from "../../kinds/kind.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic, Severity } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { afterUncertain, notListedYet } from "../../plan/decide/uncertain.js";
import { createdWith, madeAt, recordOfSent } from "../../plan/record/record.js";
import { holdersIn } from "../../state/names.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import type { Seen } from "../../tenant/known.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import { lateSince, withBackground, withWritten } from "../lateParts.js";
import { recordAsFound, recordDoubt, settle, withAddedItems } from "../settle.js";
import type { Pending } from "./journal.js";
import type { Ended } from "./openSnapshot.js";

/** What a cut-off write came to. */
export type RecoveredAs = "done" | "partly done" | "not done" | "in doubt" | "uncertain";

/** What was found out about a cut-off write. */
interface Judgement {
  readonly as: RecoveredAs;
  /** Null where the state stays as it is. */
  readonly ended: Ended | null;
  readonly diagnostic: Diagnostic;
}

/** What a cut-off write is judged by. */
interface Evidence {
  readonly kind: Kind;
  readonly seen: Seen;
  readonly snapshot: Snapshot;
}

type MakeEnded = (
  outcome: Ended["outcome"],
  record: Ended["record"],
  diagnostics?: readonly Diagnostic[],
) => Ended;

/** What a cut-off write came to, judged by what is there now and by what had been answered. */
export function judge(pending: Pending, evidence: Evidence): Judgement {
  const { intended, answered } = pending;
  const { address, action, applied, protected: isProtected } = intended;
  const { kind, seen, snapshot } = evidence;
  const settled = action === "delete" ? null : settle(applied, seen, kind);
  const key = seen.as === "present" ? seen.key : (answered?.key ?? intended.key);
  const ended: MakeEnded = (outcome, record, diagnostics = []) => ({
    address,
    action,
    outcome,
    step: intended.step,
    ...(intended.deleted !== undefined && { deleted: intended.deleted }),
    key,
    record: record === null ? null : withBackground(record, intended.background),
    diagnostics,
  });
  const say = about(address);
  const late = lateOf(pending);
  const { written, at } = late;

  if (settled === null) {
    return seen.as === "absent"
      ? { as: "done", ended: ended("done", null), diagnostic: say("note", "its delete was done") }
      : { as: "not done", ended: null, diagnostic: say("note", "its delete is not known to be done") };
  }
  switch (settled.as) {
    case "there": {
      const known = { applied, answered: settled.seen.fields, rewritten: [], protected: isProtected };
      const record = {
        ...known,
        ...madeAt(settled.seen),
        ...createdWith({ ...intended, deed: intended.action }, kind),
        ...lateSince(Object.keys(written), at),
      };
      return { as: "done", ended: ended("done", record), diagnostic: say("note", "it is as wanted") };
    }
    case "different": {
      const diagnostic = say(action === "create" ? "warning" : "note", "it is not wholly as wanted");
      if (action !== "create") {
        const sent = { applied, seen: settled.seen, ...late };
        const record = withAddedItems(sent, entryOf(pending, snapshot), { kind, isProtected });
        return { as: "not done", ended: record === null ? null : ended("failed", record), diagnostic };
      }
      return {
        as: "partly done",
        ended: ended("failed", {
          ...withWritten(recordAsFound(settled.seen, applied, { kind, isProtected }), written, at),
          ...createdWith({ ...intended, deed: intended.action }, kind),
        }),
        diagnostic,
      };
    }
    case "missing":
      if (pending.unclear !== null && kind.namesRepeat === true) {
        return uncertain(pending, kind, ended, {
          code: "apply/uncertain",
          why: notListedYet(pending.unclear),
        });
      }
      return { as: "not done", ended: null, diagnostic: say("note", "it is not there") };
    case "unknown":
      return judgeUnseen(pending, evidence, ended, say);
    default:
      return settled satisfies never;
  }
}

/** Nothing can be read: what was answered counts, and what was not stays open. */
function judgeUnseen(
  pending: Pending,
  { kind, seen, snapshot }: Evidence,
  ended: MakeEnded,
  say: Say,
): Judgement {
  const { intended, answered } = pending;
  const { applied, action, protected: isProtected } = intended;
  const entry = entryOf(pending, snapshot);
  if (action === "create" && entry !== undefined && entry.at >= pending.at) {
    const as = same(entry.applied, applied) ? "done" : "partly done";
    return { as, ended: null, diagnostic: say("note", "the state has its result") };
  }
  // Where nothing can ever be read, an older record does not show that the object is as it was: the create may have replaced it.
  const isNew =
    action === "create" && (entry === undefined || intended.key === null || seen.as === "recorded");
  if (isNew && (intended.call > 0 || answered !== null)) {
    const record = {
      ...recordAsFound(null, applied, { kind, isProtected }),
      ...createdWith({ ...intended, deed: intended.action }, kind),
    };
    return {
      as: "partly done",
      ended: ended("failed", record),
      diagnostic: say("warning", "it was made, and not finished"),
    };
  }
  if (isNew) {
    const why = "the run that sent its create was cut off, and it cannot be read back";
    return uncertain(pending, kind, ended, { code: "apply/recovered", why });
  }
  const diagnostic = say("warning", "the result is unknown, so remit writes it again");
  // What can be read, only not just now, is compared by the next plan.
  const record =
    entry === undefined || seen.as === "unread"
      ? withAddedItems({ applied, seen, ...lateOf(pending) }, entry, { kind, isProtected })
      : recordDoubt(entry, applied, kind);
  return { as: "in doubt", ended: ended("failed", record), diagnostic };
}

/** What a cut-off write did to parts that the service shows late, and when. */
function lateOf({ intended, answered, at }: Pending) {
  return { written: answered?.written ?? intended.written ?? {}, at: Date.parse(at) };
}

/** A create whose result is not known; its code says whether it was sent for sure. */
function uncertain(
  { intended, serverAt }: Pending,
  kind: Kind,
  ended: MakeEnded,
  { code, why }: { readonly code: "apply/uncertain" | "apply/recovered"; readonly why: string },
): Judgement {
  const { address, key } = intended;
  const sent = recordOfSent({ ...intended, deed: intended.action }, kind);
  const diagnostic = { ...about(address)("warning", why), hint: afterUncertain({ address, key }) };
  return {
    as: "uncertain",
    ended: {
      ...ended("uncertain", sent, [{ ...diagnostic, ...quote(code, "warning", why) }]),
      ...(serverAt !== null && { since: serverAt }),
    },
    diagnostic,
  };
}

/** What the state has of the object of a write: by its key, or by its address where the service chooses the key. */
export function entryOf({ intended, answered }: Pending, { entries }: Snapshot): Entry | undefined {
  const { address } = intended;
  const key = answered?.key ?? intended.key;
  if (key !== null) return entries[formatKey(address.kind, key)];
  return holdersIn(Object.values(entries)).get(formatAddress(address));
}

type Say = (severity: Severity, what: string) => Diagnostic;

function about(address: Address): Say {
  return (severity, what) => say("apply/recovered", { address, what }, { severity });
}
