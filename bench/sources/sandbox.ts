// The sandbox with a generated tenant.
export { generateTenant } from "../../src/sandbox/generate.js";
export { startSandbox } from "../../src/sandbox/server.js";
