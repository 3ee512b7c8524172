/* Checking and formatting manifests. */

export { formatText, holdsManifest } from "../manifest/format/formatText.js";
export { loadManifests } from "../manifest/load.js";
export { type RenderedManifest, renderAll, type ValueReader } from "../manifest/renderAll.js";
