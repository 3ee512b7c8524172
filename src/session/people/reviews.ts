import type { PeopleReads } from "../../current/peopleReads.js";
import { narrowingOf } from "../../impact/narrowing.js";
import type { ReviewImpact } from "../../impact/review.js";
import type { Campaign } from "../../kinds/campaign.js";
import { refName } from "../../kinds/people.js";
import type { CampaignFacts, StepImpact, TemplateCampaigns } from "../../plan/people/impact.js";
import { isUnchanged, type PeopleQuestion } from "../../plan/people/question.js";
import { counted, type PersonNames } from "./access.js";
import type { FittingAccounts } from "./fittingAccounts.js";

/** A step that changes a scope: what to ask about it. */
export type AudienceQuestion = Extract<PeopleQuestion, { as: "audience" }>;

/** What an edit of a scope means, as a plan keeps it. */
export function reviewOf(
  question: AudienceQuestion,
  impact: ReviewImpact,
  held: ReadonlyMap<string, number>,
  reads: Pick<PeopleReads, "nameOf">,
  campaigns: readonly Campaign[] | null,
  accounts: FittingAccounts | null,
  names: PersonNames,
): StepImpact {
  const withGrants = (refs: typeof added) =>
    refs.map((ref) => ({ ...ref, grants: held.get(refName(ref)) ?? null, name: reads.nameOf(ref) }));
  const { step, isSame, before, after, added, removed, template } = question;
  const { address, key } = step;
  const { unknown, enters, leaves } = impact;
  return {
    address,
    key,
    as: "audience",
    isSame,
    unknown,
    ...counted({ before: impact.before, after: impact.after }, null),
    ...(isUnchanged(question) && counted({ after: impact.after }, names)),
    ...counted({ enters, leaves }, names),
    added: withGrants(added),
    removed: withGrants(removed),
    notCounted: narrowingOf([before, after], accounts === null),
    ...(accounts === null ? {} : { accounts }),
    campaigns: campaigns === null ? null : campaignsOf(template, campaigns),
  };
}

/** The campaigns of one template. */
function campaignsOf(template: string, all: readonly Campaign[]): TemplateCampaigns {
  const own = all
    .filter((campaign) => campaign.template === template)
    .toSorted((one, other) => order(other.since, one.since) || order(one.name, other.name));
  const last = own.find(({ state }) => state !== "open");
  const open = own.filter(({ state }) => state !== "closed");
  return { last: last === undefined ? null : factsOf(last), open: open.map(factsOf) };
}

function factsOf({ name, state, tasks, closes }: Campaign): CampaignFacts {
  return { name, isRunning: state === "running", tasks, closes: state === "closed" ? null : closes };
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Reads the campaigns once, and only where a scope changes. */
export async function campaignsFor(
  asked: readonly PeopleQuestion[],
  reads: PeopleReads,
): Promise<readonly Campaign[] | null> {
  return asked.some(({ as }) => as === "audience") ? reads.campaigns() : null;
}
