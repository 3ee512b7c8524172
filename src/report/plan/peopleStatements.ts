import { certaintyOf } from "../../impact/count.js";
import { groupBy } from "../../model/groupBy.js";
import type { UnmetValue } from "../../plan/people/impact.js";
import type { PeopleTotals } from "../../plan/people/totals.js";
import type { OpenRange } from "../../plan/plan.js";
import { counted, listing, type Statement, stated, statement } from "../statement.js";
import { many } from "../text/layout.js";
import { usersIn } from "./people.js";
import type { PlanReport } from "./report.js";
import { isNone, namesBelow, namesOf, numberOf } from "./words/people.js";

// Without users, the guards by count cannot trip, which is not the same as that they found nothing.
const UNCOUNTED = ". No guard has counted people";

/** What counting people came to, and what it could not count. */
export function peopleStatements({ people }: Pick<PlanReport, "people">): readonly Statement[] {
  if (people === null) return [];
  const {
    users,
    failed,
    uncounted,
    follow,
    unknownAttributes,
    conflicts,
    withoutPeople,
    totals,
    undocumented,
  } = people;
  const unknown = failed.map(({ what, why }) =>
    stated(`${what}: ${why}${what === "users" && users.read === 0 ? UNCOUNTED : ""}`),
  );
  const left = [...groupBy(uncounted, ({ why }) => why)].map(([why, all]) =>
    stated(`${many(all.length, "step")}: ${why}`),
  );
  return [
    ...accessOf(totals, users),
    ...conflictsIn(conflicts),
    ...followOf(follow),
    ...reviewsOf(totals),
    // Who may request something is not counted.
    ...counted("people/requests", totals.requests.profiles),
    ...unknownIn(unknownAttributes, users.read),
    ...withoutPeopleIn(withoutPeople),
    ...listing("people/unknown", {}, unknown),
    ...listing(
      "people/not-documented",
      {},
      undocumented.map((one) => stated(one)),
    ),
    ...listing("people/not-counted", {}, left),
  ];
}

function accessOf(
  { access }: PeopleTotals,
  users: NonNullable<PlanReport["people"]>["users"],
): readonly Statement[] {
  const { rules, deletes, profiles, follow, gains, loses } = access;
  const about = [
    ...(rules === 0 ? [] : [many(rules, "rule")]),
    ...(deletes === 0 ? [] : [`${many(deletes, "delete")} with access`]),
    ...(profiles === 0 ? [] : [`${many(profiles, "access profile")} with people enrolled`]),
    ...(follow === 0 ? [] : [`${many(follow, "rule")} that ${follow === 1 ? "follows" : "follow"}`]),
  ];
  if (about.length === 0) return [];
  const isOpen = [gains, loses].every(({ low, high }) => low === 0 && high === null);
  const said = isOpen
    ? "who gains and who loses access is unknown"
    : loses.high === 0 && gains.high === 0
      ? "no one loses or gains access"
      : `${who(loses, "loses", "lose")} access, ${who(gains, "gains", "gain")} it`;
  const of = users.read === 0 ? "" : `, of ${usersIn(users)}`;
  return [statement("people/access", { said, about, of }, [], rules + deletes + profiles + follow)];
}

/** The rules and reviews that stay as they are, with whom their next run moves. */
function followOf(follow: NonNullable<PlanReport["people"]>["follow"]): readonly Statement[] {
  const of = (kind: "members" | "audience", [more, fewer]: readonly [string, string]) =>
    follow
      .filter(({ as }) => as === kind)
      .map(({ address, asksFor, counts }) => {
        const moved =
          counts === null
            ? "not counted"
            : isNone(counts.gains) && isNone(counts.loses)
              ? "the same people"
              : `${numberOf(counts.gains)} ${more}${namesOf(counts.gains)}, ${numberOf(counts.loses)} ${fewer}${namesOf(counts.loses)}`;
        const give = asksFor.length === 1 ? "gives" : "give";
        return stated(`\`${address}\`, which asks for what ${quoted(asksFor)} ${give}: ${moved}`);
      });
  return [
    ...listing("people/follow", {}, of("members", ["gain it", "lose it"])),
    ...listing("people/reviews-follow", {}, of("audience", ["enter it", "leave it"])),
  ];
}

/** The members of profiles that rules ask for and no one has. */
function unknownIn(
  unknown: NonNullable<PlanReport["people"]>["unknownAttributes"],
  read: number,
): readonly Statement[] {
  const objects = unknown.map(({ address, name, nearest }) => {
    const instead = nearest === null ? "" : `; \`${nearest}\` is the nearest that a user has`;
    return stated(
      `\`${address}\` asks for \`subject.profile.${name}\`, which none of the ${many(read, "user")} has that remit read${instead}`,
    );
  });
  return listing("people/unknown-attribute", {}, objects);
}

/** Who would newly hold both sides of a conflict. What was not read is named. */
function conflictsIn(conflicts: NonNullable<PlanReport["people"]>["conflicts"]): readonly Statement[] {
  const objects = (conflicts ?? []).map(({ address, newly, isNegated, unread }) => {
    const people = isNone(newly) ? "no one" : numberOf(newly);
    const sides = isNegated ? "group A without group B" : "both sides";
    const [below = ""] = namesBelow([["; people", newly]]);
    const said = `\`${address}\`: ${people} would newly hold ${sides}${namesOf(newly)}${below}`;
    return stated(
      said,
      unread.length === 0 ? {} : { aside: `the holders of ${quoted(unread)} were not read` },
    );
  });
  return listing("people/conflicts", {}, objects);
}

/** The rules that hold for no one, all in one sentence. */
function withoutPeopleIn(without: NonNullable<PlanReport["people"]>["withoutPeople"]): readonly Statement[] {
  const objects = without.map(({ address, unmet }) =>
    stated(`\`${address}\``, { aside: unmet.map(unmetIn).join("; ") }),
  );
  return listing("people/no-match", { count: without.length }, objects);
}

/** A value that a rule asks for and no user has, with the nearest that some have. */
export function unmetIn({ attribute, value, nearest }: UnmetValue): string {
  const near = nearest.length === 0 ? "" : `, and the nearest is ${quoted(nearest)}`;
  return `no user has the ${attribute} \`${value}\`${near}`;
}

function quoted(addresses: readonly string[]): string {
  return addresses.map((address) => `\`${address}\``).join(", ");
}

function reviewsOf({ reviews: { scopes, follow, enters, leaves } }: PeopleTotals): readonly Statement[] {
  const about = [
    ...(scopes === 0 ? [] : [many(scopes, "scope")]),
    ...(follow === 0 ? [] : [`${many(follow, "review")} that ${follow === 1 ? "follows" : "follow"}`]),
  ];
  if (about.length === 0 || (enters.high === 0 && leaves.high === 0)) return [];
  const isOpen = [enters, leaves].every(({ low, high }) => low === 0 && high === null);
  const keeping = leaves.high === 0 ? "" : ` and keep${leaves.high === 1 ? "s" : ""} access`;
  const said = isOpen
    ? "who enters and who leaves one is unknown"
    : `${who(leaves, "leaves", "leave")} a review${keeping}, ${who(enters, "enters", "enter")} one`;
  return [statement("people/reviews", { said, about }, [], scopes + follow)];
}

/** `no one loses`, `1 loses`, `31 to 32 lose`, `at most 5 lose`. */
function who(bounds: OpenRange, one: string, more: string): string {
  if (bounds.high === 0) return `no one ${one}`;
  const isOne = bounds.low === 1 && bounds.high === 1;
  return `${numberOf({ ...bounds, certainty: certaintyOf(bounds) })} ${isOne ? one : more}`;
}
