/**
 * Runs some work and ends it after the given milliseconds, even inside a regular expression; null when it was ended.
 * Rules come from a repository and from a tenant, so one of them may be written to run for hours.
 */
export type Evaluate = <T>(
  work: () => T,
  milliseconds: number,
) => { readonly value: T; readonly milliseconds: number } | null;
