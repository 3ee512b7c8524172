/* Reading files and YAML documents, without checking them against a schema. */

export { readDocument } from "../manifest/document.js";
export { readSources } from "../manifest/files.js";
export { parse } from "../manifest/parse.js";
export type { Source } from "../manifest/source.js";
