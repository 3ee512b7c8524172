/* Checking and formatting manifests. */

export { addressesIn } from "../manifest/expand/addresses.js";
export { formatText, holdsManifest } from "../manifest/format/formatText.js";
export { loadManifests } from "../manifest/load.js";
export { type RenderedManifest, renderAll, type ValueReader } from "../manifest/renderAll.js";
export { readVocabulary } from "../manifest/vocabulary.js";
