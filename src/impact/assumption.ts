/**
 * What the service does not document. remit takes each as likely; a number that would change with one is not exact, and
 * names it.
 */
export const ASSUMPTIONS = {
  disabled: "whether disabled users count",
  deleted: "whether deleted users count",
  anyRef: "whether one of the refs is enough",
  noRefs: "whether a rule without refs matches no one",
  groupName: "whether a group is found by the name of its entitlement",
  emptyField: "whether has() finds a field without a value",
  basic: "whether a basic rule is read as CEL",
  criteria: "whether a user has to meet all criteria",
  anyValue: "whether one value of an attribute is enough",
  excluded: "whether a member who is left out stays",
  memberCount: "whether the count of members is current",
} as const;

export type Assumption = keyof typeof ASSUMPTIONS;

/** Each choice of assumptions that are false, the empty one first. */
export function choicesOf(assumptions: readonly Assumption[]): readonly ReadonlySet<Assumption>[] {
  return Array.from(
    { length: 2 ** assumptions.length },
    (_, bits) => new Set(assumptions.filter((_assumption, place) => (bits & (1 << place)) !== 0)),
  );
}
