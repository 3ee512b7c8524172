import type { BranchRule, Forge } from "../../forge/forge.js";
import type { Git } from "../../manifest/git/git.js";
import { mainline, resolveCommit } from "../../manifest/git/merges.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { type Environment, readVariable } from "../../model/variables.js";
import { say } from "../../words/say.js";

/**
 * The branch that is applied: the default branch, as the forge gives it, or the one that REMIT_BRANCH names, a variable of the
 * protected environment. What is checked out, and the branch that the pipeline was started on, decide nothing.
 */
export async function appliedBranch(env: Environment, forge: Forge): Promise<string> {
  return readVariable(env, "REMIT_BRANCH") ?? (await forge.defaultBranch());
}

/** Why HEAD is not a commit that a branch of the remote had as its tip; null where it is one. */
export async function notOn(git: Git, branch: string): Promise<Diagnostic | null> {
  const ref = `refs/remotes/origin/${branch}`;
  const [tip, head] = [await resolveCommit(git, ref), await resolveCommit(git, "HEAD")];
  if (tip === null || head === null)
    return say("approved/other-branch", { branch, why: `this checkout does not have ${ref}` });
  const after = await mainline(git, head, tip, []);
  const isOn = after !== null && (after[0] === undefined ? head === tip : after[0].before === head);
  if (isOn) return null;
  return say("approved/other-branch", { branch, why: `HEAD, ${head.slice(0, 12)}, is not on ${ref}` });
}

/**
 * Says which branches an environment takes jobs of: only that stops a workflow that a branch changed. An error where the branch
 * that is applied is not one of them: more people may set a variable of the repository, and name any branch.
 */
export function describeRule(
  { name }: Pick<Forge, "name">,
  environment: string,
  branch: string,
  rule: BranchRule,
): Diagnostic {
  const values = { forge: name, environment, branch };
  switch (rule.as) {
    case "some": {
      const { branches } = rule;
      if (!rule.isTaken)
        return say("approved/other-branch", {
          branch,
          why: `the environment ${environment} takes no jobs of it, but of: ${branches}`,
        });
      if (branches === branch) return say("forge/environment#only", values);
      return say("forge/environment#more", { ...values, branches });
    }
    case "every branch":
      return say("forge/environment#every", values);
    case "unknown":
      return say("forge/environment#unknown", values);
    default:
      return rule satisfies never;
  }
}
