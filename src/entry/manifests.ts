/* Checking and formatting manifests. */

export { formatText, holdsManifest } from "../manifest/format.js";
export { loadManifests } from "../manifest/load.js";
