/* Checking values against a JSON Schema. */

export { compile } from "../schema/compile.js";
