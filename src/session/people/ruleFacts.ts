import type { PeopleReads } from "../../current/people.js";
import { Account } from "../../impact/account.js";
import type { Census, GroupFound } from "../../impact/census.js";
import { allNeeds, type Needs, needsOf } from "../../impact/rule/needs.js";
import { type EntitlementRef, type Holders, refName } from "../../kinds/people.js";
import type { PeopleQuestion } from "../../plan/people/question.js";
import { costOf } from "./access.js";

/** The entitlements that a question is about, and those that its rules, with these needs, ask about. */
export function refsOf(question: PeopleQuestion, needs: Needs): readonly EntitlementRef[] {
  if (question.as === "holdings") return [];
  if (question.as === "members") return [question.entitlement, ...needs.members];
  return [...question.added, ...question.removed];
}

/** What the rules of a question ask for beside their subject. */
export function needsOfQuestion(question: PeopleQuestion): Needs {
  if (question.as === "holdings") return allNeeds([]);
  const { before, after } = question;
  return allNeeds([needsOf(before), needsOf(after)]);
}

/** What was read for rules that ask about more than their subject; `others` where they ask about other people. */
export type RuleFacts = Pick<Census, "accounts" | "members" | "groups"> & { readonly others: boolean };

/** What rules ask for beside their subject, as far as it costs less than what is left. */
export async function factsFor(
  { members: asked, apps, others, groups: wanted }: Needs,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<RuleFacts> {
  const found = new Map<string, Holders>();
  const groups = new Map<string, GroupFound>();
  const grantsOf = new Map(held);
  for (const name of wanted) {
    const [group, ...namesakes] = (await reads.entitlementsNamed(name)) ?? [];
    // Which of several groups the service would find is not documented.
    if (group === undefined || namesakes.length > 0) continue;
    groups.set(name, { id: group.id, appId: group.appId, displayName: name });
    grantsOf.set(refName(group), group.grants);
  }
  const members = [...asked, ...[...groups.values()].map(({ appId, id }) => ({ appId, id }))];
  for (const ref of members) {
    const name = refName(ref);
    const grants = grantsOf.get(name);
    if (found.has(name) || grants === undefined || costOf(grants) > reads.left()) continue;
    const holders = await reads.holders(ref);
    if (holders !== null) found.set(name, holders);
  }
  const accounts = new Map<string, readonly Account[]>();
  for (const app of apps) {
    const rows = await reads.accounts(app);
    if (rows !== null)
      accounts.set(
        app,
        rows.map((row) => new Account(row)),
      );
  }
  return { members: found, accounts, others, groups };
}
