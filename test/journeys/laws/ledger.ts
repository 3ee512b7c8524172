/** The laws of `README.md` beside this file, by letter. */
export const LAWS = {
  a: "after an apply, the plan is empty or says what is unknown",
  b: "a member that a manifest does not own never changes in the tenant",
  c: "an object outside the selection never changes, in the tenant or in the state",
  d: "nothing unseen is overwritten unless that is acknowledged, or was detected and is reported",
  e: "every value of a manifest is in a request or in a diagnostic",
} as const;

export type Law = keyof typeof LAWS;

/** How a run broke a law; `cause` is the same for every run that broke it in the same way. */
export interface Violation {
  readonly law: Law;
  readonly cause: string;
  readonly detail: string;
}

/** How often each law had something to judge. */
export type Counts = Readonly<Record<Law, number>>;

/** Takes down what was judged, and what did not hold. */
export interface Ledger {
  /** One judgement: whether the law holds here; what is said otherwise is only made where it does not. */
  judge(law: Law, holds: boolean, cause: string, detail: () => string): void;
  readonly violations: readonly Violation[];
  readonly judged: Counts;
}

/** An empty ledger. */
export function openLedger(): Ledger {
  const violations: Violation[] = [];
  const judged = { a: 0, b: 0, c: 0, d: 0, e: 0 };
  return {
    violations,
    judged,
    judge(law, holds, cause, detail) {
      judged[law] += 1;
      if (!holds) violations.push({ law, cause, detail: detail() });
    },
  };
}
