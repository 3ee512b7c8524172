import type { Diagnostic } from "../model/diagnostic.js";
import { effectOfSteps } from "../plan/saved/effect.js";
import type { Forge, PullRequest } from "./forge.js";
import { changedSteps, markOf, reviewedSteps, type StepHashes } from "./reviewedSteps.js";
import { contextOf, effectIn } from "./statusText.js";
import { isOf } from "./upsert.js";

/** A commit of a merge queue's group, and the head that it merges; null where it is a squash or a rebase. */
export interface GroupCommit {
  readonly commit: string;
  readonly merged: string | null;
}

/** The plan of a group, for one project and tenant. */
export interface GroupPlan {
  readonly name: string;
  readonly server: string;
  readonly steps: StepHashes;
}

/**
 * Why the plan of a merge queue's group does not consist of exactly the approved steps of its pull requests; nothing where
 * it does.
 */
export async function groupDiagnostics(
  forge: Forge,
  commits: readonly GroupCommit[],
  plan: GroupPlan,
): Promise<readonly Diagnostic[]> {
  const pulls = new Map<number, PullRequest>();
  for (const commit of commits) {
    const pull = await pullOf(forge, commit);
    if (pull === null)
      return [refusal(`${commit.commit.slice(0, 12)} belongs to no single open pull request`)];
    pulls.set(pull.number, pull);
  }
  return judge(forge, [...pulls.values()], plan);
}

/** The same for a merge train, where each merge request has a pipeline of its own, on top of those before it. */
export async function trainDiagnostics(
  forge: Forge,
  number: number,
  plan: GroupPlan,
): Promise<readonly Diagnostic[]> {
  const found = await judge(forge, [await forge.pullRequest(number)], plan);
  return found.map((one) => ({ ...one, hint: TRAIN }));
}

/** The one open pull request that a commit of a group belongs to. */
async function pullOf(forge: Forge, { commit, merged }: GroupCommit): Promise<PullRequest | null> {
  const found = await forge.openWith(commit);
  const own = found.length > 0 || merged === null ? found : await forge.openWith(merged);
  return own.length === 1 ? (own[0] ?? null) : null;
}

/**
 * Compares a plan with what its pull requests were approved with. What was approved is the effect of each status. The
 * comments only say which steps it is made of, and count only where they have that effect. One pull request of a group
 * needs no such list: what the others leave has to have its effect.
 */
async function judge(
  forge: Forge,
  pulls: readonly PullRequest[],
  plan: GroupPlan,
): Promise<readonly Diagnostic[]> {
  const { name, server, steps } = plan;
  const approved = new Map<string, string>();
  const unlisted: { readonly number: number; readonly effect: string }[] = [];
  for (const pull of pulls) {
    const { number } = pull;
    const effect = await approvedEffect(forge, pull, name);
    if (effect === null) return [refusal(`the approved plan of #${number} is not known`)];
    const own = await approvedSteps(forge, number, effect, plan);
    if (own === null) unlisted.push({ number, effect });
    for (const [step, hash] of own ?? []) approved.set(step, hash);
  }
  const [only, ...more] = unlisted;
  if (only !== undefined && more.length > 0) {
    const numbers = unlisted.map(({ number }) => `#${number}`).join(" and ");
    return [refusal(`the approved steps of ${numbers} are not known`)];
  }
  if (only !== undefined) {
    const left = [...steps].filter(([step]) => !approved.has(step));
    if (effectOfSteps(server, hashesOf(left)) !== only.effect) {
      const names = left.map(([step]) => step);
      return [refusal(`the plan does something else than #${only.number} was approved with${listed(names)}`)];
    }
    for (const [step, hash] of left) approved.set(step, hash);
  }
  const { changed, added, gone } = changedSteps({ as: "steps", steps: approved }, steps);
  const differing = [...changed, ...added, ...gone];
  if (differing.length === 0) return [];
  return [refusal(`the plan of the group is not what its pull requests approved${listed(differing)}`)];
}

/** The effect that the account of the token wrote in the newest status of a plan; null where there is none to go by. */
async function approvedEffect(forge: Forge, { head }: PullRequest, name: string): Promise<string | null> {
  const account = await forge.account();
  const context = contextOf("plan", name);
  const [status] = (await forge.statuses(head.commit)).filter((one) => one.context === context);
  const isOwn = account !== null && status !== undefined && isOf(status.author, account);
  return isOwn && status.isSuccess ? effectIn(status.description) : null;
}

/**
 * The steps that a pull request was approved with, as its comment lists them: those with the approved effect. Marks choose
 * among the steps of the plan. Null where the comment has no such list; an approval of nothing needs none.
 */
async function approvedSteps(
  forge: Forge,
  number: number,
  effect: string,
  { name, server, steps }: GroupPlan,
): Promise<StepHashes | null> {
  if (effect === effectOfSteps(server, [])) return new Map();
  const reviewed = await reviewedSteps(forge, number, { name, server, effect });
  if (reviewed === null) return null;
  const own =
    reviewed.as === "steps"
      ? reviewed.steps
      : new Map([...steps].filter(([, hash]) => reviewed.marks.has(markOf(hash))));
  return effectOfSteps(server, hashesOf([...own])) === effect ? own : null;
}

function hashesOf(steps: readonly (readonly [step: string, hash: string])[]): readonly string[] {
  return steps.map(([, hash]) => hash);
}

const MOST = 5;

function listed(steps: readonly string[]): string {
  const names = steps.slice(0, MOST).map((step) => step.trim());
  const more = steps.length > MOST ? `, and ${steps.length - MOST} more` : "";
  return names.length === 0 ? "" : `: ${names.join(", ")}${more}`;
}

function refusal(message: string): Diagnostic {
  return {
    code: "approved/other-group",
    severity: "error",
    message,
    hint: "The group fails. Merge its pull requests one by one, or plan them again on the new base.",
  };
}

const TRAIN =
  "The pipeline of the merge train fails. Its plan must be made with `--since $CI_MERGE_REQUEST_TARGET_BRANCH_SHA`. Plan the merge request again, review it, and add it to the train again.";
