import type { Seen } from "../current/world.js";
import type { Interface, Kind } from "../kinds/kind.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic, Severity } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import { publicServer } from "../plan/server.js";
import type { Action } from "../plan/step.js";
import type { Log } from "../state/log.js";
import type { Snapshot } from "../state/snapshot.js";
import { wantedBy } from "./fresh.js";
import { type Pending, readJournal } from "./journal.js";
import { type Look, makeLook } from "./look.js";
import { draftOf, type Ended } from "./remember.js";
import type { Service } from "./service.js";
import { recordAsFound, recordCertain, settle } from "./settle.js";
import { forget } from "./words.js";

/** What is recovered from, and how the service can be asked. */
export interface Wreck {
  readonly journal: Log;
  readonly snapshot: Snapshot;
  readonly kinds: readonly Kind[];
  /** The interface that was asked for; `auto` tries to read. */
  readonly on: Interface | "auto";
  /** Null where nobody is to be asked: then only what ended is taken up. */
  readonly service: Service | null;
}

/** What became of a write that had been cut off. */
export interface SettledWrite {
  readonly address: Address;
  readonly action: Action;
  readonly as: "done" | "partly done" | "not done" | "in doubt" | "uncertain";
}

/** What was found out about runs that were cut off. */
export interface Recovery {
  /** With everything that was found out, under the next serial where that changed it. */
  readonly snapshot: Snapshot;
  readonly settled: readonly SettledWrite[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether everything is settled. Then the snapshot is to be saved if its serial is new, and the journal cleared after. */
  readonly complete: boolean;
}

/**
 * Takes up what a run left behind that was cut off: its outcomes as they stand, and what has none by reading it back.
 * Nothing is sent but reads. Null when no run was cut off.
 */
export async function recover(wreck: Wreck): Promise<Recovery | null> {
  const { snapshot, kinds, service } = wreck;
  const { head, ended, pending, damaged } = readJournal(await wreck.journal.read());
  if (head === null) return null;
  const foreign = foreignness(head, snapshot);
  if (foreign !== null) return { snapshot, settled: [], diagnostics: [foreign], complete: false };

  const draft = draftOf(snapshot);
  let isChanged = false;
  for (const one of ended) if (draft.remember(one.ended, one.at)) isChanged = true;

  const look = service === null ? null : makeLook(service, kinds);
  const settled: SettledWrite[] = [];
  const diagnostics = damaged === 0 ? [] : [damage(wreck.journal.name, damaged)];
  for (const one of look === null ? [] : pending) {
    const kind = kinds.find(({ name }) => name === one.intended.address.kind);
    if (kind === undefined) continue;
    const seen = await lookAt(one, kind, wreck.on === "core" ? null : look);
    const finding = judge(one, { kind, seen, snapshot });
    const { address, action } = one.intended;
    if (finding.ended !== null && draft.remember(finding.ended, one.at)) isChanged = true;
    settled.push({ address, action, as: finding.as });
    diagnostics.push(finding.diagnostic);
  }
  return {
    snapshot: isChanged ? draft.snapshot(snapshot.serial + 1) : snapshot,
    settled,
    diagnostics,
    complete: look !== null || pending.length === 0,
  };
}

/** The object of a cut-off write, now; where the service does not offer to show it, as nobody has seen it. */
async function lookAt({ intended, answered }: Pending, kind: Kind, look: Look | null): Promise<Seen> {
  const nobody: Seen = { as: "recorded", fields: null };
  if (look === null) return nobody;
  const { address, identity, applied } = intended;
  const key = answered?.key ?? intended.key;
  const wanted = wantedBy({ address, key, identity, after: applied }, kind);
  const looked = await look.many(kind, [wanted]);
  return "notOffered" in looked ? nobody : (looked.get(wanted.name) ?? nobody);
}

interface Finding {
  readonly as: SettledWrite["as"];
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
function judge(pending: Pending, evidence: Evidence): Finding {
  const { intended, answered } = pending;
  const { address, action, applied, protected: isProtected } = intended;
  const { kind, seen } = evidence;
  const key = seen.as === "present" ? seen.key : (answered?.key ?? intended.key);
  const ended: MakeEnded = (outcome, record, diagnostics = []) => ({
    address,
    action,
    outcome,
    key,
    record,
    diagnostics,
  });
  const say = about(address);

  if (action === "delete") {
    return seen.as === "absent"
      ? { as: "done", ended: ended("done", null), diagnostic: say("note", "its delete was done") }
      : { as: "not done", ended: null, diagnostic: say("note", "its delete is not known to be done") };
  }
  const settled = settle(applied, seen, kind);
  switch (settled.as) {
    case "there": {
      const record = { applied, answered: settled.seen.fields, rewritten: [], protected: isProtected };
      return { as: "done", ended: ended("done", record), diagnostic: say("note", "it is as wanted") };
    }
    case "different": {
      const diagnostic = say(action === "create" ? "warning" : "note", "it is not wholly as wanted");
      if (action !== "create") return { as: "not done", ended: null, diagnostic };
      return {
        as: "partly done",
        ended: ended("failed", recordAsFound(seen, applied, isProtected)),
        diagnostic,
      };
    }
    case "missing":
      return { as: "not done", ended: null, diagnostic: say("note", "it is not there") };
    case "unknown":
      return judgeUnseen(pending, evidence, ended, say);
    default:
      return settled satisfies never;
  }
}

/** Nothing can be read: what was answered counts, and what was not stays open. */
function judgeUnseen(
  { intended, answered }: Pending,
  { kind, seen, snapshot }: Evidence,
  ended: MakeEnded,
  say: Say,
): Finding {
  const { address, applied, action, protected: isProtected } = intended;
  if (action === "create" && (intended.call > 0 || answered !== null)) {
    const record = recordAsFound(null, applied, isProtected);
    return {
      as: "partly done",
      ended: ended("failed", record),
      diagnostic: say("warning", "it was made, and not finished"),
    };
  }
  if (action === "create") {
    const sent = { applied, answered: null, rewritten: [], protected: isProtected };
    const why = "the run that sent its create was cut off, and it cannot be read back";
    const diagnostic = { ...say("warning", why), hint: forget(address) };
    return {
      as: "uncertain",
      ended: ended("uncertain", sent, [{ ...diagnostic, message: why }]),
      diagnostic,
    };
  }
  const diagnostic = say("warning", "nobody could learn whether that worked, so it is written again");
  const { key } = intended;
  const entry = key === null ? undefined : snapshot.entries[formatKey(kind.name, key)];
  // What can be read, only not just now, is compared by the next plan.
  const record = entry === undefined || seen.as === "unread" ? null : recordCertain(entry, applied, kind);
  return { as: "in doubt", ended: ended("failed", record), diagnostic };
}

type Say = (severity: Severity, what: string) => Diagnostic;

function about(address: Address): Say {
  return (severity, what) => ({
    code: "apply/recovered",
    severity,
    message: `${formatAddress(address)}: an earlier run was cut off while it wrote this; ${what}`,
    hint: "Nothing is to be done by hand: the plan starts from what was found.",
  });
}

function foreignness(
  { server, lineage }: { readonly server: string; readonly lineage: string },
  snapshot: Snapshot,
): Diagnostic | null {
  if (lineage === snapshot.lineage && publicServer(server) === publicServer(snapshot.server)) return null;
  return {
    code: "apply/foreign-journal",
    severity: "error",
    message: `a run that was cut off wrote to ${publicServer(server)} with another state`,
    hint: "Recover it with the server and the state it had, or remove the journal beside the state if that state is gone for good.",
  };
}

function damage(name: string, lines: number): Diagnostic {
  return {
    code: "apply/damaged-journal",
    severity: "warning",
    message: `${name} has ${lines} lines that cannot be read`,
    hint: "What they told of is read back from the service by the plan, where it can be.",
  };
}
