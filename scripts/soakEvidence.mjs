// Flips bits of signed evidence (`--envelopes N`): remit must refuse each, and so must a verifier that others wrote.
// REMIT_TEST_PYTHON names a Python with securesystemslib, in-toto-attestation and cryptography; without it, that part is skipped.
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";

const { values } = parseArgs({ options: { envelopes: { type: "string", default: "1000" } } });
const count = Number(values.envelopes);
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(root, "node_modules", ".evidence-"));
try {
  /** @type {typeof import("./sources/soakEvidence.js")} */
  const { openEnvelope, readEnvelope, readStatement, sealEnvelope, writeStatement, hashOfRecord } =
    await loadModule("scripts/sources/soakEvidence.ts", folder);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const lines = [];
  let wrong = 0;
  const judge = (text, isGood) => {
    lines.push(JSON.stringify({ envelope: JSON.parse(text), isGood }));
    const envelope = readEnvelope(text);
    const opened = envelope === null ? null : openEnvelope(envelope, [publicKey], false);
    const evidence = opened !== null && "payload" in opened ? readStatement(opened.payload) : null;
    if ((evidence !== null) !== isGood) wrong += 1;
  };
  for (let number = 1; number <= count; number += 1) {
    const record = recordOf(number);
    const text = sealEnvelope(
      writeStatement({
        own: { hash: hashOfRecord(record), text: record },
        earlier: [],
        firstCall: null,
        expectedBy: null,
        plan: { effect: "none", note: randomBytes(randomInt(400)).toString("hex") },
        findings: [],
        review: null,
        readBack: null,
      }),
      privateKey,
    );
    judge(text, true);
    const envelope = JSON.parse(text);
    const [signature] = envelope.signatures;
    judge(JSON.stringify({ ...envelope, payload: flipped(envelope.payload) }), false);
    judge(
      JSON.stringify({ ...envelope, signatures: [{ ...signature, sig: flipped(signature.sig) }] }),
      false,
    );
  }
  console.log(`remit        ${count} envelopes, ${2 * count} with a flipped bit, ${wrong} judged wrongly`);
  if (wrong > 0) process.exitCode = 1;
  byOthers(publicKey, lines);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function recordOf(number) {
  const effect = `sha256:${randomBytes(32).toString("hex")}`;
  return JSON.stringify({
    formatVersion: 1,
    number,
    before: null,
    run: `run ${number} é`,
    as: "apply",
    at: "2026-01-01T00:00:00.000Z",
    clock: "service",
    server: "https://tenant.example",
    project: null,
    pullRequest: number,
    commit: null,
    effect: { expected: effect, applied: effect },
    by: { host: "here", user: null, job: null, command: "remit apply" },
    steps: [],
    unwritten: [],
  });
}

function flipped(text) {
  const bytes = Buffer.from(text, "base64");
  const bit = randomInt(bytes.length * 8);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  return bytes.toString("base64");
}

function byOthers(publicKey, lines) {
  const python = process.env.REMIT_TEST_PYTHON;
  if (python === undefined) return console.log("reference    skipped: REMIT_TEST_PYTHON names no program");
  const der = publicKey.export({ type: "spki", format: "der" });
  const keyid = createHash("sha256").update(der).digest("hex");
  const key = join(folder, "key.json");
  const file = join(folder, "envelopes");
  writeFileSync(key, JSON.stringify({ keyid, public: der.subarray(-32).toString("hex") }));
  writeFileSync(file, `${lines.join("\n")}\n`);
  const script = join(root, "scripts", "sources", "referenceVerifier.py");
  console.log(`reference    ${execFileSync(python, [script, key, file], { encoding: "utf8" }).trim()}`);
}
