/** What shows whether the service allows a rate: since when the rate is tried, what started, and what was answered. */
export interface Proof {
  since: number;
  good: number;
  bad: number;
  starts: number;
  hasWaited: boolean;
}

/** Makes a proof that begins then. */
export function freshProof(since: number): Proof {
  return { since, good: 0, bad: 0, starts: 0, hasWaited: false };
}
