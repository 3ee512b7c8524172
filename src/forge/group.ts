import type { Diagnostic } from "../model/diagnostic.js";
import { effectOfSteps } from "../plan/effect.js";
import type { Forge, PullRequest } from "./forge.js";
import { changedSteps, reviewedSteps, type StepHashes } from "./reviewedSteps.js";
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
 * it does. The steps are those that the plan's comment contains, and they count only where they have the effect of the status.
 */
export async function groupDiagnostics(
  forge: Forge,
  commits: readonly GroupCommit[],
  { name, server, steps }: GroupPlan,
): Promise<readonly Diagnostic[]> {
  const pulls = new Map<number, PullRequest>();
  for (const commit of commits) {
    const pull = await pullOf(forge, commit);
    if (pull === null)
      return [refusal(`${commit.commit.slice(0, 12)} belongs to no single open pull request`)];
    pulls.set(pull.number, pull);
  }
  const approved = new Map<string, string>();
  for (const pull of pulls.values()) {
    const own = await approvedSteps(forge, pull, name, server);
    if (own === null) return [refusal(`the approved steps of #${pull.number} are not known`)];
    for (const [step, hash] of own) approved.set(step, hash);
  }
  const { changed, added, gone } = changedSteps(approved, steps);
  const differing = [...changed, ...added, ...gone].map((step) => step.trim());
  if (differing.length === 0) return [];
  const more = differing.length > MOST ? `, and ${differing.length - MOST} more` : "";
  const what = differing.slice(0, MOST).join(", ");
  return [refusal(`the plan of the group is not what its pull requests approved: ${what}${more}`)];
}

const MOST = 5;

/** The one open pull request that a commit of a group belongs to. */
async function pullOf(forge: Forge, { commit, merged }: GroupCommit): Promise<PullRequest | null> {
  const found = await forge.openWith(commit);
  const own = found.length > 0 || merged === null ? found : await forge.openWith(merged);
  return own.length === 1 ? (own[0] ?? null) : null;
}

async function approvedSteps(
  forge: Forge,
  { number, head }: PullRequest,
  name: string,
  server: string,
): Promise<StepHashes | null> {
  const account = await forge.account();
  const context = contextOf("plan", name);
  const [status] = (await forge.statuses(head.commit)).filter((one) => one.context === context);
  if (account === null || status === undefined || !status.isSuccess || !isOf(status.author, account))
    return null;
  const effect = effectIn(status.description);
  const none: StepHashes = new Map();
  if (effect === effectOfSteps(server, [])) return none;
  const steps = await reviewedSteps(forge, number, name);
  return steps !== null && effect === effectOfSteps(server, [...steps.values()]) ? steps : null;
}

function refusal(message: string): Diagnostic {
  return {
    code: "approved/other-group",
    severity: "error",
    message,
    hint: "The group fails. Merge its pull requests one by one, or plan them again on the new base.",
  };
}
