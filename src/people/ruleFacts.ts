import { Account } from "../impact/account.js";
import type { Census, GroupFound } from "../impact/census.js";
import { allNeeds, type Needs, needsOf } from "../impact/rule/needs.js";
import { type EntitlementRef, eachRefOnce, type Holders, refName } from "../kinds/people.js";
import { isAboutUsers, type PeopleQuestion } from "../plan/people/question.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import { costOf } from "./access.js";
import { reviewedRefs } from "./reviews.js";

/** The entitlements that a question is about, and those that its rules, with these needs, ask about. */
export function refsOf(question: PeopleQuestion, needs: Needs): readonly EntitlementRef[] {
  if (question.as === "members") return [question.entitlement, ...needs.members];
  return question.as === "audience" ? reviewedRefs(question) : [];
}

/** What the rules of a question ask for beside their subject. */
export function needsOfQuestion(question: PeopleQuestion): Needs {
  return isAboutUsers(question)
    ? allNeeds([needsOf(question.before), needsOf(question.after)])
    : allNeeds([]);
}

/** What was read for rules that ask about more than their subject; `others` where they ask about other people. */
export type RuleFacts = Pick<Census, "accounts" | "members" | "groups"> & { readonly others: boolean };

/** What rules ask for beside their subject, as far as it costs less than what is left. */
export async function factsFor(
  { members: asked, apps, others, groups: wanted }: Needs,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<RuleFacts> {
  const named = await groupsNamed(wanted, reads);
  const grantsOf = new Map([...held, ...named.map((group) => [refName(group), group.grants] as const)]);
  const refs = [...asked, ...named.map(({ appId, id }) => ({ appId, id }))];
  const known = eachRefOnce(refs).flatMap((ref) => {
    const grants = grantsOf.get(refName(ref));
    return grants === undefined ? [] : [{ ref, calls: costOf(grants) }];
  });
  const groups = new Map(
    named.map(({ name, id, appId }): [string, GroupFound] => [name, { id, appId, displayName: name }]),
  );
  const members = new Map<string, Holders>();
  const accounts = new Map<string, readonly Account[]>();
  await reads.sideBySide([
    ...known.map(({ ref, calls }) => ({
      calls,
      async run(own: PeopleReads) {
        const holders = (await own.allows(calls)) ? await own.holders(ref) : null;
        if (holders !== null) members.set(refName(ref), holders);
      },
    })),
    ...apps.map((app) => ({
      calls: 1,
      async run(own: PeopleReads) {
        const rows = await own.accounts(app);
        if (rows !== null)
          accounts.set(
            app,
            rows.map((row) => new Account(row)),
          );
      },
    })),
  ]);
  return { members, accounts, others, groups };
}

/** The groups that the service shows under some names. Which of several it would find is not documented, so these are left out. */
async function groupsNamed(names: readonly string[], reads: PeopleReads) {
  const found = await reads.sideBySide(
    names.map((name) => ({ calls: 1, run: (own) => own.entitlementsNamed(name) })),
  );
  return found.flatMap((groups, at) => {
    const [group, ...namesakes] = groups ?? [];
    return group === undefined || namesakes.length > 0 ? [] : [{ ...group, name: names[at] ?? "" }];
  });
}
