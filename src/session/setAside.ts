import { readJournal } from "../apply/journal/journal.js";
import { writeRescue } from "../apply/rescue.js";
import { fault } from "../state/fault.js";
import type { Store } from "../state/store.js";
import type { RescuePlace } from "./apply/underLock.js";
import type { CommandRun } from "./history.js";

/**
 * Takes the journal of another state out of a store, and keeps it in a file: gives the file's path, null where the journal
 * is empty. Throws a `StateError` where the journal belongs to the state, because the next apply settles it.
 */
export async function setAside(
  store: Store,
  rescue: RescuePlace,
  { owner }: CommandRun,
  timeout: number,
): Promise<string | null> {
  const lock = await store.lock(owner, { timeout });
  try {
    const { snapshot, journal } = await store.read();
    if (journal.length === 0) return null;
    const { head } = readJournal(journal);
    if (head !== null && (snapshot === null || head.lineage === snapshot.lineage)) throw ofThis(store.name);
    const { run, lineage } = head ?? { run: "unknown", lineage: "unknown" };
    const path = await rescue.keep(writeRescue({ run, lineage, lines: journal, record: null }));
    await lock.journal.clear();
    return path;
  } finally {
    await lock.release();
  }
}

function ofThis(name: string): Error {
  const hint = "Apply or plan: the next apply settles it. Nothing was changed.";
  return fault("state/own-journal", `the journal of ${name} belongs to its state`, hint);
}
