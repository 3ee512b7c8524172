import { findCheckout, type Git, openGit } from "../../manifest/git/git.js";
import { gitEnvironment } from "../../model/variables.js";
import type { World } from "./world.js";

/** The git of the checkout that remit runs in; null outside of one. */
export function gitHere({ cwd, env }: Pick<World, "cwd" | "env">): Git | null {
  const checkout = findCheckout(cwd);
  return checkout === null ? null : openGit(checkout, gitEnvironment(env));
}
