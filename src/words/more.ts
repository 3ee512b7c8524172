/** The first of some names, and how many more there are: `a, b and 3 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** What stands at the end of a list for those that it leaves out: `… and 3 more`; nothing where it has all. */
export function moreOf(leftOut: number, what = "more"): readonly string[] {
  return leftOut > 0 ? [`… and ${leftOut} ${what}`] : [];
}
