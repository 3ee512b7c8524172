/* The embedded service. */

export { DEFAULT_CLIENT, DEFAULT_TOKEN } from "../sandbox/auth/client.js";
export { parseFaults } from "../sandbox/faults/flag.js";
export { type FaultPlan, NO_FAULTS, readFaults } from "../sandbox/faults/plan.js";
export type { Interface } from "../sandbox/http/exchange.js";
export { type Sandbox, startSandbox } from "../sandbox/http/server.js";
export type { Entry } from "../sandbox/log.js";
export { BadFile } from "../sandbox/tenant/document.js";
export { generateTenant } from "../sandbox/tenant/generate.js";
export { Unreadable } from "../sandbox/tenant/reading.js";
export { readSeed, type Seed } from "../sandbox/tenant/seed/seed.js";
export { EMPTY_TENANT } from "../sandbox/tenant/tenant.js";
