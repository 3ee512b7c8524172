import type { BranchRule, Forge } from "../../forge/forge.js";
import type { Git } from "../../manifest/git/git.js";
import { mainline, resolveCommit } from "../../manifest/git/merges.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { type Environment, readVariable } from "../../model/variables.js";

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
  if (tip === null || head === null) return refused(`this checkout does not have ${ref}`, branch);
  const after = await mainline(git, head, tip, []);
  const isOn = after !== null && (after[0] === undefined ? head === tip : after[0].before === head);
  return isOn ? null : refused(`HEAD, ${head.slice(0, 12)}, is not on ${ref}`, branch);
}

function refused(why: string, branch: string): Diagnostic {
  return {
    code: "approved/other-branch",
    severity: "error",
    message: `${branch} is the branch that is applied, and ${why}`,
    hint:
      `Merge the change into ${branch}, and check that branch out with its whole history. ` +
      "To apply another branch, set the variable REMIT_BRANCH of the protected environment.",
  };
}

/** What the rule of an environment keeps from being applied by a workflow that a branch changed. */
export function describeRule(environment: string, branch: string, rule: BranchRule): Diagnostic {
  const code = "forge/environment";
  const limit = `Limit the environment to the branch ${branch}, in the settings of the repository.`;
  switch (rule.as) {
    case "some":
      return {
        code,
        severity: "note",
        message: `the environment ${environment} takes jobs of these branches alone: ${rule.branches}`,
        hint: `It has to be limited to ${branch}: a workflow can be changed on every other branch that it takes.`,
      };
    case "every branch":
      return {
        code,
        severity: "warning",
        message: `the environment ${environment} takes jobs of every branch, so a workflow that a branch changed can apply what was never merged`,
        hint: limit,
      };
    case "unknown":
      return {
        code,
        severity: "note",
        message: `the forge does not say which branches the environment ${environment} takes jobs of`,
        hint: `${limit} On GitHub, the right \`actions: read\` lets remit see it.`,
      };
    default:
      return rule satisfies never;
  }
}
