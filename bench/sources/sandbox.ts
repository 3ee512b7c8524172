// The sandbox with a generated tenant.

export { startSandbox } from "../../src/sandbox/http/server.js";
export { generateTenant } from "../../src/sandbox/tenant/generate.js";
