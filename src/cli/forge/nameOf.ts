import { dirname, relative, resolve, sep } from "node:path";
import { findCheckout } from "../../manifest/git/git.js";
import { checkServer } from "../../tenant/client/server.js";
import { findProjectFile } from "../settings/findProjectFile.js";

/** The folder of a project in its checkout, with `/`; empty at the root, or outside of a checkout. */
export function folderInCheckout(folder: string): string {
  const checkout = findCheckout(folder);
  if (checkout === null) return "";
  const inside = relative(checkout.root, resolve(folder)).split(sep).join("/");
  return inside.startsWith("..") ? "" : inside;
}

/** The folder of the project that a folder belongs to, in its checkout. */
export function projectFolder(folder: string): string {
  const { path } = findProjectFile(folder);
  return folderInCheckout(path === null ? folder : dirname(path));
}

/** The server of a tenant, and the context that names it; null where the project has none. */
interface TenantNames {
  readonly server: string;
  readonly context: string | null;
}

/**
 * `PROJECT@TENANT`, or `PROJECT#CONTEXT@TENANT`: the folder of the project, or the repository where it is the root; and the
 * tenant's host.
 */
export function nameOf(folder: string, repository: string, { server, context }: TenantNames): string {
  const project = folder === "" ? (repository.split("/").at(-1) ?? repository) : folder;
  const checked = checkServer(server, { plain: true });
  const named = context === null ? project : `${project}#${context}`;
  return `${named}@${"server" in checked ? new URL(checked.server).host : server}`;
}
