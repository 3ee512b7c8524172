/* The embedded service. */

export { DEFAULT_CLIENT, DEFAULT_TOKEN } from "../sandbox/auth/client.js";
export { BadFile } from "../sandbox/document.js";
export type { Interface } from "../sandbox/exchange.js";
export { parseFaults } from "../sandbox/faults/flag.js";
export { type FaultPlan, NO_FAULTS, readFaults } from "../sandbox/faults/plan.js";
export { generateTenant } from "../sandbox/generate.js";
export { Unreadable } from "../sandbox/reading.js";
export { readSeed, type Seed } from "../sandbox/seed/seed.js";
export { type Sandbox, startSandbox } from "../sandbox/server.js";
export { EMPTY_TENANT } from "../sandbox/tenant.js";
export type { Entry } from "../sandbox/witness.js";
