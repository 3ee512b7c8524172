/** Lines on their way to a store, in batches. */
export interface Batches {
  /** Resolves when the line and every line before it are durable. */
  append(line: string): Promise<void>;
  /** Adds a line that becomes durable with the next appended line. */
  note(line: string): void;
  /** Resolves when every line so far was given to the store; never rejects. */
  settled(): Promise<void>;
}

/** Writes lines to a store; where `durable` is set, resolves only when they survive a crash. */
export type Write = (lines: readonly string[], durable: boolean) => Promise<void>;

/**
 * Group commit: while one batch is being written the next gathers, so any number of writers share one durable write.
 * After a fault nothing more is written: half a line may be the last thing in the store, and no line may follow it.
 */
export function inBatches(write: Write): Batches {
  let lines: string[] = [];
  let waiting: { readonly done: () => void; readonly failed: (error: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;
  let fault: { readonly error: unknown } | null = null;

  async function writeAll(): Promise<void> {
    while (lines.length > 0) {
      const [batch, writers] = [lines, waiting];
      [lines, waiting] = [[], []];
      try {
        if (fault !== null) throw fault.error;
        await write(batch, writers.length > 0);
        for (const { done } of writers) done();
      } catch (error) {
        fault ??= { error };
        for (const { failed } of writers) failed(fault.error);
      }
    }
    writing = null;
  }

  function add(line: string): void {
    lines.push(line);
    // The batch is taken in a later turn, so that all who write in this turn share it.
    writing ??= Promise.resolve().then(writeAll);
  }

  return {
    append: (line) =>
      new Promise((done, failed) => {
        waiting.push({ done, failed });
        add(line);
      }),
    note: add,
    settled: async () => {
      await writing;
    },
  };
}
