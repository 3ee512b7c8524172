import { formatAddress } from "../model/address.js";
import type { Head } from "../state/journalHead.js";
import type { KeptRecord } from "../state/record.js";
import { type Lock, StateError } from "../state/store.js";
import { type JournalLine, readLine } from "./journal/line.js";

/** A lock, and what was given to it that is not known to be in its store. */
export interface WatchedLock {
  readonly lock: Lock;
  /** The record that no kept snapshot names, and why it could not be kept, where it could not; null where there is none. */
  readonly unkept: () => { readonly record: KeptRecord; readonly error: StateError | null } | null;
  /** The answers that are not known to be kept, each behind the intents of its object; none where all are. */
  readonly unsaved: () => readonly string[];
}

interface Given {
  readonly text: string;
  readonly line: JournalLine | undefined;
}

/** Watches the lines that go through a lock; `began` hears the first of a run. A line is kept once a later write was answered. */
export function watchLock(lock: Lock, began: (head: Head) => void): WatchedLock {
  let given: Given[] = [];
  let unkept: ReturnType<WatchedLock["unkept"]> = null;
  /** The lines of each object whose end is not known to be kept. */
  const open = new Map<string, string[]>();

  function add(text: string): Given {
    const one = { text, line: readLine(text) };
    given.push(one);
    const { line } = one;
    if (line?.type === "run") began(line);
    if (line?.type === "intended" && line.call === 0) open.set(formatAddress(line.address), []);
    if (line !== undefined && "address" in line) open.get(formatAddress(line.address))?.push(text);
    return one;
  }
  function keep(count: number): void {
    for (const { line } of given.slice(0, count))
      if (line?.type === "step finished") open.delete(formatAddress(line.address));
    given = given.slice(count);
  }
  /** What was given before a write is kept once that write was answered. */
  async function keeping<T>(last: Given | undefined, work: Promise<T>): Promise<T> {
    const value = await work;
    if (last !== undefined) keep(given.indexOf(last) + 1);
    return value;
  }

  return {
    unkept: () => unkept,
    unsaved() {
      const answered = given.flatMap(({ line }) => (isAnswer(line) ? [formatAddress(line.address)] : []));
      const known = new Set(answered);
      const loose = given.filter(({ line }) => isAnswer(line) && !open.has(formatAddress(line.address)));
      const lines = [...open].filter(([name]) => known.has(name)).flatMap(([, texts]) => texts);
      return [...lines, ...loose.map(({ text }) => text)];
    },
    lock: {
      ...lock,
      append(record, without) {
        unkept = { record, error: null };
        const kept = lock.append(record, without);
        kept.then(
          () => {
            if (unkept?.record === record) unkept = null;
          },
          (error) => {
            if (error instanceof StateError) unkept = { record, error };
          },
        );
        return kept;
      },
      async save(snapshot, isCleared) {
        await keeping(given.at(-1), lock.save(snapshot, isCleared));
      },
      journal: {
        append(text) {
          const one = add(text);
          return keeping(one, lock.journal.append(text));
        },
        note(text) {
          add(text);
          lock.journal.note(text);
        },
        clear: () => keeping(given.at(-1), lock.journal.clear()),
      },
      async release(last) {
        const error = await lock.release(last);
        if (error === null) keep(given.length);
        return error;
      },
    },
  };
}

type Answer = Extract<JournalLine, { readonly type: "answered" | "step finished" }>;

function isAnswer(line: JournalLine | undefined): line is Answer {
  return line?.type === "answered" || line?.type === "step finished";
}
