/* Checking values against a JSON Schema, and the kinds with the schemas of their manifests. */

export { kinds } from "../kinds/index.js";
export { compile } from "../schema/compile.js";
export { withMarkers } from "../schema/markers.js";
