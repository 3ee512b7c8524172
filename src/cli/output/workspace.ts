import { dirname, relative, sep } from "node:path";
import { readVariable } from "../../entry/values.js";
import type { World } from "../outside/world.js";
import { findProjectFile } from "../project/findProjectFile.js";

/**
 * The project's folder from the root of the checkout, with `/`; a pipeline of GitHub or GitLab names that root. Empty where
 * it is the root, or where no pipeline says so.
 */
export function folderInWorkspace({ env, cwd }: World): string {
  const root = readVariable(env, "GITHUB_WORKSPACE") ?? readVariable(env, "CI_PROJECT_DIR");
  if (root === undefined) return "";
  const { path } = findProjectFile(cwd);
  const folder = relative(root, path === null ? cwd : dirname(path));
  return folder.startsWith("..") ? "" : folder.split(sep).join("/");
}
