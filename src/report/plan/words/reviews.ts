import type { Audience, CampaignFacts, HeldRef, TemplateCampaigns } from "../../../plan/people/impact.js";
import type { Extent } from "../../../tenant/peopleReads.js";
import { grouped, isNone, manyOf, namesOf, numberOf } from "./people.js";
import { type Names, showId } from "./values.js";

/** Who enters and leaves a review, in a sentence; `users` is whom the scope was asked about. */
export function ofReview(impact: Audience, users: string): string {
  const { isNew, isSame, isStill, before, after, enters, leaves } = impact;
  if (isStill) return "no one enters or leaves the review";
  const was = isNew ? "" : isSame ? ", as before" : ` (was ${numberOf(before)})`;
  const match = `${numberOf(after)} of ${users} match${was}`;
  const moves = [
    ...(isNone(enters) ? [] : [`${numberOf(enters)} enter the review${namesOf(enters)}`]),
    ...(isNone(leaves) ? [] : [`${numberOf(leaves)} leave the review${namesOf(leaves)}`]),
  ];
  const moved = moves.length === 0 ? "no one enters or leaves the review" : moves.join(", ");
  return `${match}: ${moved}`;
}

/** The most entitlements that a line names. */
const MOST = 10;

/** What is added to the review and taken from it, each with its number of grants. */
export function reviewedLines({ added, removed }: Audience, names: Names): readonly string[] {
  const line = (refs: readonly HeldRef[], what: string) =>
    refs.length === 0
      ? []
      : [
          [`${manyOf(refs.length, "entitlement")} ${what}, ${grantsOf(refs)}`, listOf(refs, names)]
            .filter(Boolean)
            .join(": "),
        ];
  return [...line(added, "added"), ...line(removed, "removed")];
}

/** How many accounts fit the account criteria of the scope, before and after. */
export function accountLines({ accounts }: Audience): readonly string[] {
  if (accounts === undefined) return [];
  const { before, after } = accounts;
  const number = ({ low, isAll }: Extent) => `${isAll ? "" : "at least "}${grouped(low)}`;
  return [
    `${number(after)} accounts of the reviewed apps fit its criteria by the service's search (was ${number(before)})`,
  ];
}

function grantsOf(refs: readonly HeldRef[]): string {
  const known = refs.flatMap(({ grants }) => (grants === null ? [] : [grants]));
  const sum = known.reduce((total, grants) => total + grants, 0);
  return `${known.length === refs.length ? "" : "at least "}${manyOf(sum, "grant")}`;
}

/** Those that people hold, with how many; one without grants adds nothing to a review. */
function listOf(refs: readonly HeldRef[], names: Names): string {
  const held = refs
    .filter(({ grants }) => grants !== 0)
    .toSorted((one, other) => (other.grants ?? 0) - (one.grants ?? 0));
  const shown = held.slice(0, MOST).map(({ appId, id, name, grants }) => {
    const app = names[`app:${appId}`] ?? showId(appId, undefined);
    return `${app} › ${name ?? showId(id, undefined)} (${grants === null ? "unknown" : grouped(grants)})`;
  });
  return [...shown, ...(held.length > MOST ? [`${held.length - MOST} more`] : [])].join(", ");
}

/** The last campaign's own count, and the campaigns that keep the scope that they were cut with. */
export function campaignLines(campaigns: TemplateCampaigns | null): readonly string[] {
  if (campaigns === null) return [];
  const { last, open } = campaigns;
  return [
    ...(last === null ? [] : [`last campaign: ${last.name}${tasksOf(last)}`]),
    ...open.map((campaign) => {
      const state = campaign.isRunning ? "running" : "cut and not started";
      return `${state}: ${campaign.name}${tasksOf(campaign)}, keeps the scope that it was cut with${closingOf(campaign)}`;
    }),
  ];
}

function tasksOf({ tasks }: CampaignFacts): string {
  return tasks === null ? "" : `, ${manyOf(tasks, "task")}`;
}

const DECISIONS: Readonly<Record<string, string>> = {
  REVOKED: "revokes what was not reviewed",
  SKIP: "skips what was not reviewed",
  NO_ACTION: "leaves what was not reviewed as it is",
};

function closingOf({ closes }: CampaignFacts): string {
  if (closes === null) return "";
  const day = closes.at === "" ? "" : ` on ${closes.at.slice(0, 10)}`;
  const what = DECISIONS[closes.decision] ?? "does with what was not reviewed what the service decides";
  return `; closes by itself${day} and ${what}`;
}
