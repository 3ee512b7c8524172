import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FaultPlan } from "../../../src/sandbox/faults/plan.js";
import { startSandbox } from "../../../src/sandbox/http/server.js";
import { runInside } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { makeProject } from "../../fakes/project.js";

const CALM: FaultPlan = { seed: 1, rules: [] };
const REFUSED: FaultPlan = {
  seed: 1,
  rules: [{ fault: "error", status: 403, method: "POST", path: "*automation*" }],
};
const LOST: FaultPlan = {
  seed: 1,
  rules: [{ fault: "lost", method: "POST", path: "*automation*", times: 1 }],
};

it.each([
  ["full", "no faults", CALM],
  ["full", "a call that is refused", REFUSED],
  ["full", "a reply that is lost", LOST],
  ["core", "no faults", CALM],
] as const)(
  "evidence of applies on %s with %s is proved, also of deletes, rests and acknowledgements",
  {
    timeout: 60_000,
  },
  async (on, _, faults) => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const many = makeMany(4, on);
    const sandbox = await startSandbox({ interface: on, tenant: many.tenant, seed: 1 });
    const project = makeProject({ guards: { maxChangesPercent: 100 } });
    const env = {
      REMIT_SERVER: sandbox.url,
      REMIT_TOKEN: sandbox.token,
      REMIT_EVIDENCE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    };
    const run = (...argv: readonly string[]) => runInside(argv, { cwd: project.cwd, env });
    const accepted = [
      "EntitlementAutomation/members-0",
      "EntitlementAutomation/members-1",
      "ResourceType/type-0",
    ].flatMap((address) => ["--acknowledge", `unknown-current=${address}`]);
    writeFileSync(join(project.cwd, "evidence.pub"), publicKey.export({ type: "spki", format: "pem" }));
    try {
      const rounds = on === "core" ? [1, 2] : [1, 2, 3];
      for (const round of rounds) {
        const wanted = many.wanted(round);
        project.write(round === 3 ? wanted.slice(0, 1) : wanted);
        const flags = [...(on === "core" ? accepted : []), ...(round === 3 ? ["--prune"] : [])];
        await run("plan", ...flags, "--out", "plan.json");
        const { effect } = JSON.parse(readFileSync(join(project.cwd, "plan.json"), "utf8"));
        const apply = () => run("apply", "--yes", ...flags, "--expect", effect, "--evidence", "evidence");
        if (round === 2) sandbox.faults.set(faults);
        const first = await apply();
        sandbox.faults.set(CALM);
        const last = first.code === 0 ? first : await apply();
        if (round === 2) expect(first.code === 0).toBe(faults !== REFUSED);
        expect(last.code, last.stdout + last.stderr).toBe(0);
      }
      const verify = ["evidence", "verify", "evidence", "--key", "evidence.pub"];
      const { head } = JSON.parse((await run("history", "--format", "json")).stdout);
      const undone = faults === REFUSED ? 1 : 0;
      const alone = await run(...verify);
      const seen = await run(...verify, "--head", `${head.number}:${head.hash}`);
      for (const one of [alone, seen]) expect([one.stderr, one.code]).toEqual(["", 0]);
      expect(alone.stdout.match(/ {2}proved/g)).toHaveLength(rounds.length);
      expect(seen.stdout.match(/ {2}proved/g)).toHaveLength(rounds.length + undone);
    } finally {
      await sandbox.close();
      project.close();
    }
  },
);
