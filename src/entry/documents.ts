/* Reading files, YAML documents and checkouts, without checking a document against a schema. */

export { readDocument } from "../manifest/document.js";
export { type EarlierProject, readEarlierProject } from "../manifest/earlierProject.js";
export { type FileAt, fileAt } from "../manifest/fileAt.js";
export { isWithin, readSources } from "../manifest/files.js";
export { yamlOf as toYaml } from "../manifest/format/yamlOf.js";
export { commitOf, findCheckout, openGit, trackedAmong } from "../manifest/git.js";
export { mainline, mergedBy, resolveCommit } from "../manifest/merges.js";
export { parse } from "../manifest/parse.js";
export { readRemotes } from "../manifest/remotes.js";
export type { Place } from "../manifest/resource.js";
export type { Source } from "../manifest/source.js";
export { unappliedAfter } from "../manifest/unapplied.js";
