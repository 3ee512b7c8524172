/** Lines that must be known after a crash; they only grow until all are cleared. */
export interface Log {
  /** A name for messages. */
  readonly name: string;
  /** Every whole line; a last one that was cut off is left out. */
  read(): Promise<readonly string[]>;
  /** Resolves when the line, and every one before it, is on the disk. Throws a `StateError` when it cannot be. */
  append(line: string): Promise<void>;
  /** Adds a line that is on the disk with the next appended one; one that is lost is found out otherwise. */
  note(line: string): void;
  /** Removes every line, for good. */
  clear(): Promise<void>;
  /** Writes what was noted, and lets go of the file. */
  close(): Promise<void>;
}

/** Keeps lines for as long as the program runs. */
export function memoryLog(lines: string[] = []): Log {
  return {
    name: "the journal in memory",
    read: async () => [...lines],
    async append(line) {
      lines.push(line);
    },
    note(line) {
      lines.push(line);
    },
    async clear() {
      lines.length = 0;
    },
    close: async () => undefined,
  };
}
