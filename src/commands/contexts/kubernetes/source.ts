import { basename } from "node:path";
import { folderInCheckout } from "../../../cli/forge/nameOf.js";
import { findProjectFile } from "../../../cli/settings/findProjectFile.js";
import type { World } from "../../../cli/world/world.js";
import { findCheckout, openGit } from "../../../manifest/git/git.js";
import { readRemotes } from "../../../manifest/git/remotes.js";
import { gitEnvironment } from "../../../model/variables.js";
import { remoteUrl } from "../../../state/git/address.js";

/** Where a pod has the project from: it clones the default branch, or its image has it. */
export type ProjectSource =
  | { readonly as: "git"; readonly url: string; readonly folder: string }
  /** The project file by its name: it is named to remit, because an image has no commit that was reviewed. */
  | { readonly as: "image"; readonly file: string };

/** The project of an image, at `/project`. */
export function inImage(root: string): ProjectSource {
  const { path } = findProjectFile(root);
  return { as: "image", file: path === null ? "remit.yaml" : basename(path) };
}

/** The repository of the checkout, over https: a pod has no key for ssh. Null where no remote has such an address. */
export async function inRepository({ env }: Pick<World, "env">, root: string): Promise<ProjectSource | null> {
  const checkout = findCheckout(root);
  if (checkout === null) return null;
  const remotes = await readRemotes(openGit(checkout, gitEnvironment(env)));
  const written = remotes.size === 1 ? [...remotes.values()][0] : remotes.get("origin");
  const url = written === undefined ? null : overHttps(written);
  return url === null ? null : { as: "git", url, folder: folderInCheckout(root) };
}

/** The address of a remote that is reached over https, whatever the checkout itself uses; null for a folder. */
function overHttps(written: string): string | null {
  const remote = remoteUrl(written);
  if (remote === null || remote.host === null) return null;
  const { protocol, url, host } = remote;
  if (protocol === "https" || protocol === "http") return url;
  const parsed = url.includes("://") ? new URL(url) : null;
  const path = parsed?.pathname ?? url.slice(url.indexOf(":") + 1);
  return `https://${parsed?.hostname ?? host}/${path.replace(/^\/+/, "")}`;
}
