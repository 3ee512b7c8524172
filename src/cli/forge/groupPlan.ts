import type { Forge } from "../../forge/forge.js";
import { type GroupPlan, groupDiagnostics, trainDiagnostics } from "../../forge/group.js";
import type { Pipeline } from "../../forge/pipeline.js";
import { findCheckout, openGit } from "../../manifest/git/git.js";
import { mainline } from "../../manifest/git/merges.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import type { World } from "../world/world.js";

/** Why the plans of a merge queue's group, or of a merge train, are not what was approved; nothing outside of both. */
export async function judgeGroup(
  { cwd, env }: World,
  forge: Forge,
  { change }: Pipeline,
  plans: readonly GroupPlan[],
): Promise<readonly Diagnostic[]> {
  if (change.as === "train") {
    const { number } = change;
    return (await Promise.all(plans.map((plan) => trainDiagnostics(forge, number, plan)))).flat();
  }
  if (change.as !== "group") return [];
  const checkout = findCheckout(cwd);
  const git = checkout === null ? null : openGit(checkout, gitEnvironment(env));
  const commits = git === null ? null : await mainline(git, change.base, change.commit, [""]);
  if (commits === null) return [unknownGroup];
  const found: Diagnostic[] = [];
  for (const plan of plans) found.push(...(await groupDiagnostics(forge, commits, plan)));
  return found;
}

const unknownGroup: Diagnostic = {
  code: "approved/unknown-base",
  severity: "error",
  message: "this checkout does not have the commits of the merge queue's group",
  hint: "Check the group out with its whole history: depth 0.",
};
