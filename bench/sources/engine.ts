// The parts of remit that the benchmarks of plan, apply and import run.

export { plan } from "../../src/apply/preview.js";
export { apply } from "../../src/apply/run.js";
export { collectEarly } from "../../src/cli/world/memory.js";
export { writeNewFiles } from "../../src/cli/world/newFiles.js";
export { filesOf } from "../../src/commands/import/layout.js";
export { importObjects } from "../../src/commands/import/objects.js";
export { Secret } from "../../src/model/secret.js";
export { measured } from "../../src/plan/estimate.js";
export { parseAcknowledgement } from "../../src/plan/guards/acknowledge.js";
export { NO_SETTINGS } from "../../src/plan/guards/rules.js";
export { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
export { isWriting } from "../../src/plan/saved/effect.js";
export { parseFaults } from "../../src/sandbox/faults/flag.js";
export { startSandbox } from "../../src/sandbox/http/server.js";
export { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
export { withKeys } from "../../src/state/encryption/store.js";
export { fileStore } from "../../src/state/file.js";
export { makeClient } from "../../src/tenant/client/client.js";
export { CERTIFICATE } from "../../test/fakes/certificate.js";
