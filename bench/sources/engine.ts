// The parts of remit that the benchmarks of plan, apply and import run.

export { makeClient } from "../../src/api/client.js";
export { filesOf } from "../../src/cli/commands/import/layout.js";
export { collectEarly } from "../../src/cli/outside/memory.js";
export { writeNewFiles } from "../../src/cli/outside/newFiles.js";
export { Secret } from "../../src/model/secret.js";
export { parseAcknowledgement } from "../../src/plan/acknowledge.js";
export { isWriting } from "../../src/plan/effect.js";
export { measured } from "../../src/plan/estimate.js";
export { DEFAULT_LIMITS } from "../../src/plan/limits.js";
export { NO_SETTINGS } from "../../src/plan/proposal.js";
export { parseFaults } from "../../src/sandbox/faults/flag.js";
export { startSandbox } from "../../src/sandbox/server.js";
export { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant.js";
export { apply } from "../../src/session/apply.js";
export { importObjects } from "../../src/session/import.js";
export { plan } from "../../src/session/plan.js";
export { withKeys } from "../../src/state/encryption/store.js";
export { fileStore } from "../../src/state/file.js";
export { CERTIFICATE } from "../../test/fakes/certificate.js";
