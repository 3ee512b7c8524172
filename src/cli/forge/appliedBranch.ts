import type { BranchRule, Forge, ForgeName } from "../../forge/forge.js";
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
  if (tip === null || head === null) return refused(`this checkout does not have ${ref}`, branch);
  const after = await mainline(git, head, tip, []);
  const isOn = after !== null && (after[0] === undefined ? head === tip : after[0].before === head);
  return isOn ? null : refused(`HEAD, ${head.slice(0, 12)}, is not on ${ref}`, branch);
}

function refused(why: string, branch: string): Diagnostic {
  return say("approved/other-branch", { branch, why });
}

/** What to do on each forge, so that no workflow that another branch changed can apply. */
const LIMIT: Readonly<Record<ForgeName, (environment: string, branch: string) => string>> = {
  github: (environment, branch) =>
    `Limit the environment ${environment} to the branch ${branch}, in the settings of the repository. The right \`actions: read\` lets remit see it.`,
  gitlab: (environment, branch) =>
    `Protect the environment ${environment}, the branch ${branch} and the variables of the client that applies: other branches then get none of them.`,
  gitea: (_environment, branch) =>
    `Gitea gives its secrets to every branch. Let only those push branches who may also apply ${branch}.`,
};

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
  const hint = LIMIT[name](environment, branch);
  const said = (severity: "note" | "warning", message: string) =>
    ({ code: "forge/environment", severity, message, hint }) as const;
  switch (rule.as) {
    case "some":
      if (!rule.isTaken)
        return refused(
          `the environment ${environment} takes no jobs of it, but of: ${rule.branches}`,
          branch,
        );
      if (rule.branches === branch)
        return {
          ...said("note", `the environment ${environment} takes only jobs of ${branch}`),
          hint: "A workflow that another branch changed cannot apply.",
        };
      return said(
        "warning",
        `the environment ${environment} takes jobs of more than ${branch}: ${rule.branches}`,
      );
    case "every branch":
      return said(
        "warning",
        `the environment ${environment} takes jobs of every branch, so a changed workflow can apply what was never merged`,
      );
    case "unknown":
      return said(
        "note",
        `the forge does not say which branches the environment ${environment} takes jobs of`,
      );
    default:
      return rule satisfies never;
  }
}
