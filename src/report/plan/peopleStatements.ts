import { certaintyOf } from "../../impact/count.js";
import { groupBy } from "../../model/groupBy.js";
import type { PeopleRange } from "../../plan/people/bounds.js";
import type { UnmetValue } from "../../plan/people/impact.js";
import type { PeopleTotals } from "../../plan/people/totals.js";
import { type Statement, stated, statement } from "../statement.js";
import { many } from "../text/layout.js";
import type { PlanReport } from "./report.js";
import { isNone, namesOf, numberOf } from "./words/people.js";

// Without users, the guards by count cannot trip, which is not the same as that they found nothing.
const UNCOUNTED = ". No guard has counted people";

/** What counting people came to, and what it could not count. */
export function peopleStatements({ people }: Pick<PlanReport, "people">): readonly Statement[] {
  if (people === null) return [];
  const { users, failed, uncounted, follow, unknownAttributes, withoutPeople, totals } = people;
  const unknown = failed.map(({ what, why }) =>
    stated(`${what}: ${why}${what === "users" && users.read === 0 ? UNCOUNTED : ""}`),
  );
  const left = [...groupBy(uncounted, ({ why }) => why)].map(([why, all]) =>
    stated(`${many(all.length, "step")}: ${why}`),
  );
  const warning = { severity: "warning", lists: "lines" } as const;
  return [
    ...accessOf(totals),
    ...followOf(follow),
    ...reviewsOf(totals),
    ...requestsOf(totals),
    ...unknownIn(unknownAttributes, users.read),
    ...withoutPeopleIn(withoutPeople),
    ...(unknown.length === 0
      ? []
      : [statement("people/unknown", "end", "People unknown", { ...warning, objects: unknown })]),
    ...(left.length === 0
      ? []
      : [
          statement("people/not-counted", "end", "People not counted", {
            ...warning,
            count: left.length,
            objects: left,
          }),
        ]),
  ];
}

function accessOf({ access }: PeopleTotals): readonly Statement[] {
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
  const text = `People: ${said} (${about.join(", ")}).`;
  return [statement("people/access", "top", text, { count: rules + deletes + profiles + follow })];
}

/** Who may request something: that is not counted. */
function requestsOf({ requests: { profiles } }: PeopleTotals): readonly Statement[] {
  if (profiles === 0) return [];
  const text = `Requests: who may request what ${many(profiles, "access profile")} ${profiles === 1 ? "offers" : "offer"} changes, and is not counted.`;
  return [statement("people/requests", "top", text, { count: profiles })];
}

/** The rules and reviews that stay as they are, with whom their next run moves. */
function followOf(follow: NonNullable<PlanReport["people"]>["follow"]): readonly Statement[] {
  const of = (kind: "members" | "audience", text: string, [more, fewer]: readonly [string, string]) => {
    const objects = follow
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
    const code = kind === "members" ? "people/follow" : "people/reviews-follow";
    return objects.length === 0
      ? []
      : [statement(code, "top", text, { severity: "warning", lists: "lines", objects })];
  };
  return [
    ...of("members", "An hour later", ["gain it", "lose it"]),
    ...of("audience", "From the next campaign on", ["enter it", "leave it"]),
  ];
}

/** The members of profiles that rules ask for and no one has. */
function unknownIn(
  unknown: NonNullable<PlanReport["people"]>["unknownAttributes"],
  read: number,
): readonly Statement[] {
  if (unknown.length === 0) return [];
  const objects = unknown.map(({ address, name, nearest }) => {
    const instead = nearest === null ? "" : `; \`${nearest}\` is the nearest that a user has`;
    return stated(
      `\`${address}\` asks for \`subject.profile.${name}\`, which none of the ${many(read, "user")} has that remit read${instead}`,
    );
  });
  const text = "Unknown attribute";
  return [
    statement("people/unknown-attribute", "top", text, { severity: "warning", lists: "lines", objects }),
  ];
}

/** The rules that hold for no one, all in one sentence. */
function withoutPeopleIn(without: NonNullable<PlanReport["people"]>["withoutPeople"]): readonly Statement[] {
  if (without.length === 0) return [];
  const objects = without.map(({ address, unmet }) =>
    stated(`\`${address}\``, { aside: unmet.map(unmetIn).join("; ") }),
  );
  const text = without.length === 1 ? "1 rule matches no one" : `${without.length} rules match no one`;
  return [statement("people/no-match", "top", text, { severity: "warning", objects })];
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
  const text = `Reviews: ${said} (${about.join(", ")}, from the next campaign on).`;
  return [statement("people/reviews", "top", text, { count: scopes + follow })];
}

/** `no one loses`, `1 loses`, `31 to 32 lose`, `at most 5 lose`. */
function who(bounds: PeopleRange, one: string, more: string): string {
  if (bounds.high === 0) return `no one ${one}`;
  const isOne = bounds.low === 1 && bounds.high === 1;
  return `${numberOf({ ...bounds, certainty: certaintyOf(bounds) })} ${isOne ? one : more}`;
}
