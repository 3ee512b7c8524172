import { readJournal, setAsideLine } from "../apply/journal/journal.js";
import { isOf } from "../apply/journal/recover.js";
import { writeRescue } from "../apply/rescue.js";
import { fault } from "../state/fault.js";
import type { Store } from "../state/store.js";
import type { RescuePlace } from "./apply/underLock.js";
import type { CommandRun } from "./history.js";

/** Where the lines of a journal are kept, and whose it is: the lines of the state's own that can be read stay in the store. */
export interface KeptJournal {
  readonly path: string;
  readonly isOwn: boolean;
}

/**
 * Keeps a journal in a file that no apply can settle. One of another state is taken out of the store; of the state's own,
 * the lines that cannot be read do not count any more. Null where the journal is empty. Throws a `StateError` where the
 * next apply settles it.
 */
export async function setAside(
  store: Store,
  rescue: RescuePlace,
  { owner, clock }: CommandRun,
  timeout: number,
): Promise<KeptJournal | null> {
  const lock = await store.lock(owner, { timeout });
  try {
    const { snapshot, journal } = await store.read();
    if (journal.length === 0) return null;
    const { head, damaged } = readJournal(journal);
    const isOwn = head !== null && (snapshot === null || isOf(head, snapshot));
    if (isOwn && damaged === 0) throw ofThis(store.name);
    const { run, lineage } = head ?? { run: "unknown", lineage: "unknown" };
    const path = await rescue.keep(writeRescue({ run, lineage, lines: journal, record: null }));
    if (isOwn) await lock.journal.append(setAsideLine(clock));
    else await lock.journal.clear();
    return { path, isOwn };
  } finally {
    await lock.release();
  }
}

function ofThis(name: string): Error {
  const hint = "Apply or plan: the next apply settles it. The journal was not changed.";
  return fault("state/own-journal", `the journal of ${name} belongs to its state`, hint);
}
