import { kinds } from "../../kinds/index.js";
import { type AskedInterface, isSureOfReads } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { isFindable } from "../../kinds/listing.js";
import { moreItems } from "../../kinds/normalise.js";
import type { Address } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { publicServer } from "../../plan/server.js";
import type { Head } from "../../state/journalHead.js";
import type { Applying, Snapshot } from "../../state/snapshot.js";
import type { Seen } from "../../tenant/known.js";
import { timeOf } from "../../tenant/madeBy.js";
import type { Wanted } from "../../tenant/reads.js";
import { say } from "../../words/say.js";
import { type Patience, patienceLeft, readPatiently } from "../reads/patience.js";
import { wantedBy } from "../reads/recentReads.js";
import { type Reread, rereadAsked } from "../reads/reread.js";
import type { Service } from "../service.js";
import { type Past, type Pending, readJournal } from "./journal.js";
import { entryOf, judge, type RecoveredAs } from "./judge.js";
import { openSnapshot } from "./openSnapshot.js";

/** What is recovered from, and how the service can be asked. */
interface Wreck {
  /** The lines of the journal. */
  readonly journal: readonly string[];
  /** The store, as messages name it. */
  readonly store: string;
  readonly snapshot: Snapshot;
  /** The interface that was asked for; `auto` tries to read. */
  readonly on: AskedInterface;
  /** Null without a service to ask: then only finished writes are recovered. */
  readonly service: Service | null;
  readonly patience: Patience;
}

/** What became of a write that had been cut off. */
export interface SettledWrite {
  readonly address: Address;
  readonly as: RecoveredAs;
}

/** What was found out about runs that were cut off. */
export interface Recovery {
  /** With everything that was found out, under the next serial where that changed it. */
  readonly snapshot: Snapshot;
  readonly settled: readonly SettledWrite[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether everything is settled. Then save the snapshot if its serial is new, and clear the journal after it. */
  readonly complete: boolean;
}

/**
 * Takes up what a run left behind that was cut off: its outcomes as they stand, and what has none by reading it back.
 * Nothing is sent but reads. Null when no run was cut off.
 */
export async function recover(wreck: Wreck): Promise<Recovery | null> {
  const { snapshot, service } = wreck;
  const past = readJournal(wreck.journal);
  const { head, ended, pending, damaged } = past;
  if (wreck.journal.length === 0) return null;
  const refused = (why: Diagnostic): Recovery => {
    return { snapshot, settled: [], diagnostics: [why], complete: false };
  };
  if (head === null) return refused(say("apply/unreadable-journal#headless", { store: wreck.store }));
  const why = foreignness(head, snapshot) ?? hiddenCreates(head, past, wreck);
  if (why !== null) return refused(why);

  const opened = openSnapshot({ ...snapshot, applying: applyingOf(head, snapshot) });
  let isChanged = false;
  for (const one of ended) if (opened.remember(one.ended, one.at)) isChanged = true;

  const settled: SettledWrite[] = [];
  const diagnostics: Diagnostic[] =
    damaged === 0 ? [] : [say("apply/damaged-journal", { lines: damaged, name: wreck.store })];
  const asked = service === null ? [] : kinds;
  const serverTime = service === null ? wreck.patience.clock.now : service.serverTime;
  const { clock } = wreck.patience;
  for (const kind of asked) {
    const reread = service === null ? null : rereadAsked(service, wreck.on, kind, snapshot.wasRead);
    const patience = patienceWith(kind, wreck.patience);
    const ofKind = pending.filter(({ intended }) => intended.address.kind === kind.name);
    const seen = await readPatiently(
      () => readPending(ofKind, kind, reread, snapshot),
      (found) => ofKind.some((one) => mayCome(one, found(one))),
      () => Math.max(0, ...ofKind.map(({ serverAt }) => patienceLeft(serverAt, serverTime(), patience))),
      { clock, pause: clock.sleep },
    );
    for (const one of ofKind) {
      const finding = judge(one, { kind, seen: seen(one), snapshot });
      if (finding.ended !== null && opened.remember(finding.ended, one.at)) isChanged = true;
      settled.push({ address: one.intended.address, as: finding.as });
      diagnostics.push(finding.diagnostic);
    }
  }
  return {
    snapshot: isChanged ? opened.snapshot(snapshot.serial + 1) : snapshot,
    settled,
    diagnostics,
    complete: settled.length === pending.length,
  };
}

/** What is not there by then was not made: what only lists show is waited for as long as these may lag. */
function patienceWith({ namesRepeat }: Kind, { milliseconds, createLag, horizon }: Patience) {
  return { milliseconds: namesRepeat === true ? Math.max(milliseconds, createLag) : milliseconds, horizon };
}

/** Whether an object may still appear: the run was killed, and the service may not have finished its create. */
function mayCome({ intended, answered }: Pending, seen: Seen): boolean {
  return intended.once && answered === null && (seen.as === "absent" || seen.as === "unread");
}

/** The objects of cut-off writes, now; where the service cannot show them, as not read. */
async function readPending(
  pending: readonly Pending[],
  kind: Kind,
  reread: Reread | null,
  snapshot: Snapshot,
): Promise<(one: Pending) => Seen> {
  const wantedIn = (one: Pending): Wanted => {
    const { intended, answered, serverAt } = one;
    const { address, action, identity, applied } = intended;
    const key = answered?.key ?? intended.key;
    // The run was perhaps to remove items that the state has: no list shows whether they are there.
    const recorded = entryOf(one, snapshot)?.applied ?? {};
    const before = { ...applied, ...moreItems(applied, recorded, kind) };
    const wanted = wantedBy({ address, key, managed: { identity }, before, after: applied }, kind);
    const isCreate = action === "create" && key === null;
    return isCreate ? { ...wanted, sent: { applied, since: timeOf(serverAt) } } : wanted;
  };
  const read =
    reread === null || pending.length === 0 ? null : await reread.many(kind, pending.map(wantedIn));
  const objects = read === null || "notOffered" in read ? null : read;
  return (one) => objects?.get(wantedIn(one).name) ?? { as: "recorded", fields: null };
}

/** How far the plan had come that the run applied. */
function applyingOf(head: Head, { applying }: Snapshot): Applying | null {
  if (applying?.effect === head.effect) return applying;
  return { effect: head.effect, done: [], isComplete: false };
}

/** Why the journal of a state cannot be settled: it is of another state or server, or the state was put back. */
export function foreignness(
  { server, lineage, serial }: Pick<Head, "server" | "lineage" | "serial">,
  snapshot: Pick<Snapshot, "server" | "lineage" | "serial">,
): Diagnostic | null {
  if (lineage === snapshot.lineage && publicServer(server) === publicServer(snapshot.server))
    return isNew(snapshot) || serial <= snapshot.serial ? null : older(serial, snapshot);
  return say("apply/foreign-journal", { server: publicServer(server) });
}

/** Nothing was kept where the journal is all there is of a state: that is a state that was lost, not an older one. */
function isNew({ serial }: Pick<Snapshot, "serial">): boolean {
  return serial === 0;
}

/** A journal goes on from a state that is newer than the one that is kept: creates of the time between are not known. */
function older(serial: number, snapshot: Pick<Snapshot, "serial">): Diagnostic {
  return say("state/rolled-back", { serial: snapshot.serial, later: serial });
}

/** Why nothing is recovered: lines that cannot be read may be of creates whose objects nothing shows. */
function hiddenCreates(
  { unseen = [] }: Head,
  { damaged }: Past,
  { on, store }: Pick<Wreck, "on" | "store">,
): Diagnostic | null {
  const isShown = (name: string) =>
    isSureOfReads(on, name, false) && kinds.some((kind) => kind.name === name && isFindable(kind, null));
  const hidden = unseen.filter((name) => !isShown(name));
  return damaged === 0 || hidden.length === 0 ? null : unreadable(store, damaged, hidden);
}

/** Why a journal is not recovered whose lines cannot be read: nothing shows what they were about. */
function unreadable(store: string, lines: number, hidden: readonly string[]): Diagnostic {
  const count = lines === 1 ? "1 line" : `${lines} lines`;
  return say("apply/unreadable-journal#unreadable", { count, store, hidden });
}
