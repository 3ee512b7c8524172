import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { chanceOf } from "../../faults/chance.js";
import { refuse } from "../reading.js";
import type { AccountRow, EntitlementRow, GrantRow, NamedRow } from "../tenant.js";
import { accountId, accountOf, isPresent } from "./accounts.js";
import { SEEDED_AT } from "./apps.js";
import type { Finder } from "./finder.js";
import { idOf } from "./naming.js";
import type { SeedMembers } from "./shape.js";

/** Who holds what, and the accounts that they hold it by. */
interface MemberRows {
  readonly accounts: readonly AccountRow[];
  readonly grants: readonly GrantRow[];
}

/**
 * Why a user holds an entitlement. No source shows the service's own words but `ticket` and `group`; the others are
 * guessed.
 */
const REASONS = {
  rule: { derivedIdType: "app_entitlement_automation", strength: "STRONG" },
  hand: { derivedIdType: "manual", strength: "STRONG" },
  request: { derivedIdType: "ticket", strength: "STRONG" },
  group: { derivedIdType: "group", strength: "WEAK" },
} as const;

type Reason = keyof typeof REASONS;

/** The grants of one entry of a seed: by the rule, by hand, by a request, and through another entitlement. */
export function memberRows(
  members: SeedMembers,
  users: readonly NamedRow[],
  find: Finder,
  path: Path,
): MemberRows {
  const entitlement = find.entitlement(members.entitlement, [...path, "entitlement"]);
  const source =
    members.through === undefined ? undefined : find.entitlement(members.through, [...path, "through"]);
  const present = users.filter(isPresent);
  const chosen = new Map<NamedRow, Reason>();
  for (const user of present) if (isByRule(user, members)) chosen.set(user, source ? "group" : "rule");
  const rest = present.filter((user) => !chosen.has(user));
  for (const user of drawn(rest, members.byHand ?? 0, `${entitlement.id} hand`)) chosen.set(user, "hand");
  const left = rest.filter((user) => !chosen.has(user));
  for (const user of drawn(left, members.byRequest ?? 0, `${entitlement.id} request`)) {
    chosen.set(user, "request");
  }
  for (const [place, email] of (members.users ?? []).entries()) {
    const user = users.find((each) => each.email === email);
    if (user === undefined) return refuse([...path, "users", place], "is not the e-mail of a user");
    if (!chosen.has(user)) chosen.set(user, members.reason ?? "hand");
  }
  const accounts = [...chosen.keys()].map((user) => accountOf(user, entitlement.appId));
  const grants = [...chosen].map(([user, reason]) =>
    grantRow(user, reason, { entitlement, source, members }),
  );
  return { accounts, grants };
}

/** Whether the entry gives the entitlement to users by who they are. */
function isByRule(
  user: NamedRow,
  { departments = [], jobTitles = [], employmentTypes = [], share = 1, excluded = [] }: SeedMembers,
): boolean {
  const asked: readonly (readonly [readonly string[], unknown])[] = [
    [departments, user.department],
    [jobTitles, user.jobTitle],
    [employmentTypes, user.employmentType],
  ];
  return (
    asked.some(([values]) => values.length > 0) &&
    asked.every(([values, value]) => values.length === 0 || values.includes(String(value))) &&
    !excluded.includes(String(user.email)) &&
    chanceOf(1, `share ${user.id}`) < share
  );
}

/** So many of the users, spread over all of them, the same each time. */
function drawn(users: readonly NamedRow[], count: number, words: string): readonly NamedRow[] {
  if (count === 0) return [];
  return users
    .map((user) => ({ user, rank: chanceOf(1, `${words} ${user.id}`) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ user }) => user);
}

interface Holding {
  readonly entitlement: EntitlementRow;
  readonly source: EntitlementRow | undefined;
  readonly members: SeedMembers;
}

function grantRow(user: NamedRow, reason: Reason, { entitlement, source, members }: Holding): GrantRow {
  const ids = { appId: entitlement.appId, appEntitlementId: entitlement.id };
  const { derivedIdType, strength } = REASONS[reason];
  const ticket = reason === "request" ? idOf("ticket", entitlement.appId, entitlement.id, user.id) : "";
  const data: Readonly<Record<Reason, string>> = {
    rule: entitlement.id,
    hand: "",
    request: ticket,
    group: source?.id ?? "",
  };
  const why: JsonObject = {
    derivedIdType,
    derivedIdData: data[reason],
    referenceStrength: `GRANT_REASON_REFERENCE_STRENGTH_${strength}`,
    ...SEEDED_AT,
  };
  return {
    ...ids,
    appUserId: accountId(user, entitlement.appId),
    createdAt: grantedAt(user, entitlement),
    ...(members.until === undefined || reason === "rule" ? {} : { deprovisionAt: members.until }),
    ...(reason === "request" ? { originatingTicketId: ticket } : {}),
    ...(source === undefined || reason !== "group"
      ? {}
      : { grantSources: [{ appId: source.appId, id: source.id }] }),
    grantReasons: [why],
  };
}

/** A day of the year in which the tenant was seeded. */
function grantedAt(user: NamedRow, entitlement: EntitlementRow): string {
  const day = Math.floor(chanceOf(1, `granted ${user.id} ${entitlement.id}`) * 360);
  return new Date(Date.UTC(2025, 0, 7) + day * 86_400_000).toISOString().replace(".000Z", "Z");
}
