/** How a store is written to during a run, because a write to it costs little or much. */
export interface Rhythm {
  /** The least milliseconds between two saves of the snapshot. */
  readonly saves: number;
  /** So many steps have their intents written before their turn comes, in few writes; 0 where each writes its own. */
  readonly ahead: number;
  /** Milliseconds from one durable write to the next, as an estimate counts them; 0 where they do not matter. */
  readonly trip: number;
  /** A request leaves at most so many milliseconds after its intent was written, or was written anew. */
  readonly horizon: number;
}

/** The rhythm of a store that writes at once. */
export const PROMPT: Rhythm = { saves: 10_000, ahead: 0, trip: 0, horizon: 2_000 };
