// What the soak of evidence makes and refuses.
export { openEnvelope, readEnvelope, sealEnvelope } from "../../src/evidence/envelope.js";
export { readStatement, writeStatement } from "../../src/evidence/statement.js";
export { hashOfRecord } from "../../src/state/record.js";
