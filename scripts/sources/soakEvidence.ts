// What the soak of evidence makes and refuses.
export { openEnvelope, readEnvelope, sealEnvelope } from "../../src/commands/evidence/envelope.js";
export { readStatement, writeStatement } from "../../src/commands/evidence/statement.js";
export { hashOfRecord } from "../../src/state/record.js";
