import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APPLIED, type Case, edit, faces, UNCERTAIN, write } from "./larkspur.js";

const SAVED = ["plan", "--out", "plan.json"];
const LOCK = { id: "x1", host: "build-7", pid: 99, command: "remit apply", since: "2026-01-01T00:00:00.000Z", job: null, user: null };

const saved: readonly Case[] = [
  ["text", ["plan.json"], { before: [SAVED] }],
  ["markdown", ["plan.json", "--format", "markdown", "--max-bytes", "1500"], { before: [SAVED] }],
  ["json", ["plan.json", "--format", "json"], { before: [SAVED] }],
  ["missing", ["plan.json"]],
  ["no-plan", ["remit.yaml"]],
  ["tampered", ["plan.json"], { before: [SAVED, edit("plan.json", "Engineering", "Enginering")] }],
  ["newer", ["plan.json"], { before: [SAVED, edit("plan.json", '"formatVersion":1', '"formatVersion":9')] }],
];

const state: readonly Case[] = [
  ["list", ["list"], { before: [APPLIED] }],
  ["list-json", ["list", "--format", "json"], { before: [APPLIED] }],
  ["list-uncertain", ["list"], UNCERTAIN],
  ["list-uncertain-json", ["list", "--format", "json"], UNCERTAIN],
  ["list-none", ["list"]],
  ["show", ["show", "EntitlementAutomation/engineering"], { before: [APPLIED] }],
  ["show-unknown", ["show", "EntitlementAutomation/enginering"], { before: [APPLIED] }],
  ["show-no-address", ["show", "engineering"], { before: [APPLIED] }],
  ["show-proto", ["show", "__proto__"], { before: [APPLIED] }],
  ["forget", ["forget", "EntitlementAutomation/engineering"], { before: [APPLIED] }],
  ["forget-uncertain", ["forget", "EntitlementAutomation/support"], UNCERTAIN],
  ["settle-uncertain", ["settle", "EntitlementAutomation/support", "--key", "2appC1aaaaaaaaaaaaaaaaaaaaa/WvyxCew4OdkbuKV4FaZZ6CB95Jm"], UNCERTAIN],
  ["settle-other-ids", ["settle", "EntitlementAutomation/support", "--key", "WvyxCew4OdkbuKV4FaZZ6CB95Jm"], UNCERTAIN],
  ["settle-unknown", ["settle", "EntitlementAutomation/unknown", "--key", "2appC1aaaaaaaaaaaaaaaaaaaaa/WvyxCew4OdkbuKV4FaZZ6CB95Jm"], UNCERTAIN],
  ["forget-unknown", ["forget", "EntitlementAutomation/unknown"], { before: [APPLIED] }],
  ["forget-none", ["forget", "EntitlementAutomation/engineering"]],
  ["unlock-none", ["unlock"], { before: [APPLIED] }],
  ["unlock", ["unlock"], { before: [APPLIED, (cwd) => writeFileSync(join(cwd, ".remit/state.json.lock"), JSON.stringify(LOCK))] }],
  ["damaged", ["list"], { before: [APPLIED, write(".remit/state.json", '{"formatVersion":1,')] }],
  [
    "damaged-backed-up",
    ["list"],
    { before: [APPLIED, ["state", "forget", "EntitlementAutomation/engineering"], write(".remit/state.json", '{"formatVersion":1,')] },
  ],
  ["newer", ["list"], { before: [APPLIED, edit(".remit/state.json", '"formatVersion": 1', '"formatVersion": 9')] }],
  ["unreleased", ["list"], { before: [APPLIED, edit(".remit/state.json", '"lastApplied"', '"landed"')] }],
];

const secrets = {
  REMIT_CLIENT_ID: "larkspur-ci@larkspur.conductor.one/pcc",
  REMIT_CLIENT_SECRET: "a-secret-that-nobody-may-see",
};

const config: readonly Case[] = [
  ["sandbox", []],
  ["origins", ["--concurrency", "7"], { env: { REMIT_SERVER: "https://larkspur.conductor.one", REMIT_RETRIES: "2", ...secrets } }],
  ["json", ["--format", "json"], { env: { REMIT_SERVER: "https://larkspur.conductor.one", ...secrets } }],
  ["vendor", ["--server", "https://larkspur.conductor.one"], { env: { CONDUCTORONE_ACCESS_TOKEN: "a-token-that-nobody-may-see" } }],
  ["no-credentials", ["--server", "https://larkspur.conductor.one"]],
  ["bad-variable", [], { env: { REMIT_CONCURRENCY: "many" } }],
  ["bad-file", [], { before: [edit("remit.yaml", "concurrency: 1", "concurrency: many\nguards: { maxDeletes: -1 }")] }],
  ["password-in-server", ["--server", "https://me:hunter2@larkspur.conductor.one"]],
];

faces("show", saved);
faces("state", state);
faces("config", config);
