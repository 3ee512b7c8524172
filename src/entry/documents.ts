/* Reading files, YAML documents and checkouts, without checking a document against a schema. */

export {
  type Contexts,
  contextsIn,
  DATA_FOLDER,
  dataFolderOf,
  NO_CONTEXTS,
  settingsOfContext,
} from "../manifest/contexts.js";
export { readDocument } from "../manifest/document.js";
export { isWithin, readSources } from "../manifest/files.js";
export { yamlOf as toYaml } from "../manifest/format/yamlOf.js";
export { type EarlierProject, readEarlierProject } from "../manifest/git/earlierProject.js";
export { type FileAt, fileAt } from "../manifest/git/fileAt.js";
export { commitOf, findCheckout, openGit, trackedAmong } from "../manifest/git/git.js";
export { mainline, mergedBy, resolveCommit } from "../manifest/git/merges.js";
export { readRemotes } from "../manifest/git/remotes.js";
export { unappliedAfter } from "../manifest/git/unapplied.js";
export { parse } from "../manifest/parse/parse.js";
export type { Place } from "../manifest/resource.js";
export type { Source } from "../manifest/source.js";
