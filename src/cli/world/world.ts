import type { Evaluate } from "../../impact/census.js";
import type { Clock, Random } from "../../model/clock.js";

/** A stream that text is written to, and what is known about its reader. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; without one, those of the variable COLUMNS, or no limit. */
  readonly columns: number;
  /** Lines of the terminal; 24 where there is none. */
  readonly rows: number;
}

/** The stream that text is read from. */
export interface Input {
  readonly isTerminal: boolean;
  /** Everything up to its end. */
  bytes(): Promise<Uint8Array>;
  /** The line that a person types after the question; what was typed before it is not read. Rejects where the signal aborts. */
  line(ask: () => void, signal?: AbortSignal): Promise<string>;
}

/** The signals that ask a run to end. A session that one of them ends rejects with its name. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type Signal = (typeof SIGNALS)[number];

/** Whether what was thrown is the signal that ended a session. */
export function isSignal(error: unknown): error is Signal {
  return SIGNALS.some((signal) => signal === error);
}

/** The outside as an argument: the program passes the real one, a test its own. */
export interface World {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs work that may take too long, such as a rule that was written to. */
  readonly evaluate: Evaluate;
  readonly process: {
    readonly pid: number;
    readonly host: string;
    readonly arch: string;
    readonly node: string;
  };
  /** A unique name. */
  unique(): string;
  /** Calls back on each signal until the returned function is called. */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Exits at once, even if calls are in flight. */
  leave(code: number): never;
}
