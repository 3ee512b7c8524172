import { resolve } from "node:path";
import { findCheckout, openGit, readRemotes } from "../../entry/documents.js";
import { remoteUrl } from "../../entry/stores.js";
import { gitEnvironment } from "../../entry/values.js";
import { folderInCheckout } from "../forge/nameOf.js";
import type { World } from "../world/world.js";
import type { Project } from "./project.js";

/**
 * What a state calls its project: `project` of remit.yaml; otherwise host and path of the checkout's remote, and the
 * project's folder in it. Null where there is neither.
 */
export async function projectName(
  { env }: Pick<World, "env">,
  { root, settings }: Pick<Project, "root" | "settings">,
): Promise<string | null> {
  if (settings.project.value !== null) return settings.project.value;
  const checkout = findCheckout(root);
  if (checkout === null) return null;
  const remotes = await openGit(checkout, gitEnvironment(env)).then(readRemotes, () => new Map());
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
