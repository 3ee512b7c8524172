import { resolve } from "node:path";
import { findCheckout, openGit } from "../../manifest/git/git.js";
import { readRemotes } from "../../manifest/git/remotes.js";
import { gitEnvironment } from "../../model/variables.js";
import { remoteUrl } from "../../state/git/address.js";
import { folderInCheckout } from "../forge/nameOf.js";
import type { World } from "../world/world.js";
import type { Project } from "./project.js";

/**
 * What a state calls its project: `project` of remit.yaml; otherwise host and path of the checkout's remote, and the
 * project's folder in it. A context stands after it: `github.com/acme/access#staging`. Null where there is none of them.
 */
export async function projectName(
  world: Pick<World, "env">,
  project: Pick<Project, "root" | "settings" | "contexts">,
): Promise<string | null> {
  const { current } = project.contexts;
  const name = await nameWithoutContext(world, project);
  return current === null ? name : `${name ?? ""}#${current}`;
}

/** Whether a name says more than a context: another project has contexts of the same names. */
export function namesProject(name: string | null): boolean {
  return name !== null && !name.startsWith("#");
}

/** The name of a project, or of the state of it that has no context. */
export async function nameWithoutContext(
  { env }: Pick<World, "env">,
  { root, settings }: Pick<Project, "root" | "settings">,
): Promise<string | null> {
  if (settings.project.value !== null) return settings.project.value;
  const checkout = findCheckout(root);
  if (checkout === null) return null;
  const remotes = await readRemotes(openGit(checkout, gitEnvironment(env)));
  const url = remotes.size === 1 ? [...remotes.values()][0] : remotes.get("origin");
  return url === undefined ? null : nameFrom(url, checkout.root, folderInCheckout(root));
}

/** `github.com/acme/access//tenants/prod`: without a user, a port and `.git`, so that https and ssh give one name. */
function nameFrom(written: string, base: string, folder: string): string | null {
  const remote = remoteUrl(written);
  if (remote === null) return null;
  const { url, host } = remote;
  const parsed = URL.canParse(url) && url.includes("://") ? new URL(url) : null;
  const path = host === null ? resolve(base, url) : (parsed?.pathname ?? url.slice(url.indexOf(":") + 1));
  const server = host === null ? [] : [(parsed?.hostname ?? host).toLowerCase()];
  const plain = path.replace(/\/+$/, "").replace(/\.git$/, "");
  const name = [...server, host === null ? plain : plain.replace(/^\/+/, "")].join("/");
  return folder === "" ? name : `${name}//${folder}`;
}
