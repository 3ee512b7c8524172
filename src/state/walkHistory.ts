import { isObject, type Json, parseJson } from "../model/json.js";
import { say } from "../words/say.js";
import { otherForm } from "./encryption/form.js";
import { openRecord } from "./encryption/record.js";
import { checkFormat } from "./format.js";
import { type HistoryHead, hashOfRecord, partsOf, type RecordParts, RUN_RECORD } from "./record.js";
import { StateError, type Store } from "./store.js";
import { misfitOf } from "./validity.js";

/** A record of a history, with the hash that the one after it names. */
interface WalkedRecord extends RecordParts {
  readonly hash: string;
}

/**
 * Visits the records of a history, the newest first, until the visitor says that it is enough. Throws a `StateError` where
 * one is missing, or is not the one that the state, or the record after it, names.
 */
export async function walkHistory(
  { history, name }: { readonly history: Store["history"]; readonly name: string },
  last: HistoryHead | undefined,
  visit: (found: WalkedRecord) => Promise<boolean> | boolean,
): Promise<void> {
  if (history === null || last === undefined) return;
  await history(async (records) => {
    let hash: string | null = last.hash;
    for (let number = last.number; hash !== null; number -= 1) {
      const text: string | null = await records.record(hash);
      if (text === null) throw broken(name, `record ${number} (${hash}) is missing`);
      const other = otherForm(text, name);
      if (other !== null) throw other;
      const opened = openRecord(text, hash, last.keys);
      if (opened === null)
        throw broken(name, `record ${number} is encrypted with a key that the state does not have`);
      const parts = partsOf(opened);
      const record: Json | undefined =
        hashOfRecord(parts.record) === hash ? parseJson(parts.record) : undefined;
      if (!isObject(record)) throw broken(name, `record ${number} is not the one that was written there`);
      checkFormat(record, `record ${number} of the history of ${name}`, misfitOf(record, RUN_RECORD));
      if (record.number !== number) throw broken(name, `record ${number} has another number`);
      if (!(await visit({ hash, ...parts }))) return;
      hash = typeof record.before === "string" ? record.before : null;
      if (hash === null && number !== 1) throw broken(name, `record ${number} names none before it`);
    }
  });
}

function broken(name: string, why: string): StateError {
  return new StateError(say("state/history", { name, why }));
}
