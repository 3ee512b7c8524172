/* Reading files, YAML documents and checkouts, without checking a document against a schema. */

export { readDocument } from "../manifest/document.js";
export { readSources } from "../manifest/files.js";
export { commitOf } from "../manifest/git.js";
export { parse } from "../manifest/parse.js";
export type { Source } from "../manifest/source.js";
