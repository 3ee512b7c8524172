/**
 * What the service does not document, and remit takes as likely. A number that would change with one of these is not
 * exact, and names it.
 */
export const ASSUMPTIONS = {
  disabled: "disabled users count",
  deleted: "deleted users do not count",
  anyRef: "any of the refs",
  noRefs: "a rule without refs matches no one",
  basic: "a basic rule is read as CEL",
  criteria: "a user has to meet all criteria",
  memberCount: "the count of members is current",
} as const;

export type Assumption = keyof typeof ASSUMPTIONS;

/** Each choice of assumptions that are false, the empty one first. */
export function choicesOf(assumptions: readonly Assumption[]): readonly ReadonlySet<Assumption>[] {
  return Array.from(
    { length: 2 ** assumptions.length },
    (_, bits) => new Set(assumptions.filter((_assumption, place) => (bits & (1 << place)) !== 0)),
  );
}
