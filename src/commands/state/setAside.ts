import type { CommandRun } from "../../apply/history.js";
import { readJournal, setAsideLine } from "../../apply/journal/journal.js";
import { foreignness } from "../../apply/journal/recover.js";
import { writeRescue } from "../../apply/rescue.js";
import type { RescuePlace } from "../../apply/underLock.js";
import type { Address } from "../../model/address.js";
import type { Head } from "../../state/journalHead.js";
import { newSnapshot, type Snapshot } from "../../state/snapshot.js";
import { StateError, type Store } from "../../state/store.js";
import { say } from "../../words/say.js";

/** Whose a journal is: `newer` began with a later serial than the state has; `unknown` does not say which run wrote it. */
type JournalOrigin = "own" | "newer" | "other" | "unknown";

/** Where a journal is kept, and whose it is: the lines of the state's own that can be read stay in the store. */
export interface KeptJournal {
  readonly path: string;
  readonly whose: JournalOrigin;
  /** The objects of writes without an answer, as far as its lines can be read. */
  readonly open: readonly Address[];
}

/** Who sets a journal aside, and for which server; null where none is named. */
interface SettingAside extends CommandRun {
  readonly server: string | null;
}

/**
 * Keeps a journal in a file that no apply can settle. What is not of the state is taken out of the store; of the state's
 * own, the lines that cannot be read do not count any more. Null where the journal is empty. Throws a `StateError` where
 * the next apply settles it.
 */
export async function setAside(
  store: Store,
  rescue: RescuePlace,
  asking: SettingAside,
): Promise<KeptJournal | null> {
  const lock = await store.lock(asking.owner, { timeout: 0 });
  try {
    const { snapshot, journal } = await store.read();
    if (journal.length === 0) return null;
    const { head, damaged, pending } = readJournal(journal);
    const whose = head === null ? "unknown" : whoseIs(head, snapshot, asking);
    if (whose === "own" && damaged === 0)
      throw new StateError(say("state/own-journal", { name: store.name }));
    const { run, lineage } = head ?? { run: "unknown", lineage: "unknown" };
    const path = await rescue.keep(writeRescue({ run, lineage, lines: journal, record: null }));
    if (whose === "own") await lock.journal.append(setAsideLine(asking.clock));
    else await lock.journal.clear();
    return { path, whose, open: pending.map(({ intended }) => intended.address) };
  } finally {
    await lock.release();
  }
}

/** Whether an apply of this project, with this state and this server, settles a journal. */
function whoseIs(
  head: Head,
  snapshot: Snapshot | null,
  { server, project }: Pick<SettingAside, "server" | "project">,
): JournalOrigin {
  if (snapshot === null && head.project !== undefined && head.project !== project) return "other";
  const why = foreignness(head, snapshot ?? newSnapshot(head.lineage, server ?? head.server));
  return why === null ? "own" : why.code === "state/rolled-back" ? "newer" : "other";
}
