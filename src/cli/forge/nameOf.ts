import { basename, dirname, relative, resolve, sep } from "node:path";
import { findCheckout } from "../../entry/documents.js";
import { checkServer } from "../../entry/settings.js";

/** The folder of a project in its checkout, with `/`; empty at the root, or outside of a checkout. */
export function folderInCheckout(folder: string): string {
  const checkout = findCheckout(folder);
  if (checkout === null) return "";
  const inside = relative(checkout.root, resolve(folder)).split(sep).join("/");
  return inside.startsWith("..") ? "" : inside;
}

/** `PROJECT@TENANT`: the folder of the project, or the repository where it is the root; and the tenant's host. */
export function nameOf(folder: string, repository: string, server: string): string {
  const project = folder === "" ? (repository.split("/").at(-1) ?? repository) : folder;
  const checked = checkServer(server, { plain: true });
  return `${project}@${"server" in checked ? new URL(checked.server).host : server}`;
}

/** The folder that a file of a plan stands in. */
export function folderOf(cwd: string, file: string): string {
  return basename(file) === file ? cwd : dirname(resolve(cwd, file));
}
