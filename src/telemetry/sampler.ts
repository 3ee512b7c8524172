/** Which traces are kept. */
export interface Sampler {
  /** Whether the pipeline's own decision comes first. */
  readonly asksParent: boolean;
  /** The part of all traces that is kept, between 0 and 1. */
  readonly ratio: number;
}

/** Keeps what the pipeline keeps, and every trace that begins here. */
export const DEFAULT_SAMPLER: Sampler = { asksParent: true, ratio: 1 };

/** Whether a trace is kept; `parent` is what the pipeline decided of it, null where the run begins the trace. */
export function isKept(id: string, parent: boolean | null, { asksParent, ratio }: Sampler): boolean {
  if (asksParent && parent !== null) return parent;
  // The last 56 bits of an id are random, so all programs that take part in a trace decide alike.
  return Number.parseInt(id.slice(-14), 16) >= (1 - ratio) * 2 ** 56;
}
