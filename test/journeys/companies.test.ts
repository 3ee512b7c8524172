import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import type { Store } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT, type ListName } from "../../src/sandbox/tenant/tenant.js";
import { cases } from "../fakes/cases.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { makeProject } from "../fakes/project.js";
import { ANA, companies, type Member, manifestsOf } from "./companies.js";

/** A whole tenant is made by one apply, each object once, and taken away again, one manifest after the other. */

const LISTS: Readonly<Record<string, ListName>> = {
  App: "apps",
  Policy: "policies",
  RiskLevel: "attributes",
  ComplianceFramework: "attributes",
  ResourceType: "resourceTypes",
  Resource: "resources",
  Entitlement: "entitlements",
  AccessConflict: "conflicts",
};
const ANSWERS = guardNames.flatMap((name) => ["--acknowledge", name]);
// What is made by a create without an answer is found again; whether one did not arrive, only a person can say.
const CREATES = ["CreateApp", "CreatePolicy", "CreateEntitlement", "CreateRiskLevel", "CreateResourceType"];
const OTHERS = [
  "UpdatePolicy",
  "SetAppRequestDefaults",
  "UpdateMonitor",
  "CreateAppEntitlementMonitorBinding",
  "CreateConfigurationRule",
];
const lost: Rule = { fault: "lost" };
const trouble = fc.option(
  fc.oneof(
    fc.constantFrom(...CREATES).map((operation) => ({ operation, fault: lost })),
    fc.record({
      operation: fc.constantFrom(...OTHERS),
      fault: fc.constantFrom<Rule>(lost, { fault: "error", status: 500 }, { fault: "reset" }),
    }),
  ),
);

it("is made once and taken away object by object", { timeout: 600_000 }, async () => {
  const law = fc.asyncProperty(companies, trouble, fc.infiniteStream(fc.nat()), live);
  await fc.assert(law, { numRuns: cases(1), seed: 48, endOnFailure: true });
});

async function live(
  company: readonly Member[],
  wrong: { readonly operation: string; readonly fault: Rule } | null,
  picks: Iterator<number>,
): Promise<void> {
  const users = [{ id: ANA, displayName: "Ana", email: "ana@example.com", status: "ENABLED" }];
  const sandbox = await startSandbox({ tenant: { ...EMPTY_TENANT, open: false, users } });
  const project = makeProject({});
  const decide = (...removed: readonly string[]) => {
    const lines = [`manifests: [manifests]`, `server: ${sandbox.url}`, "removed:", ...removed];
    writeFileSync(join(project.cwd, "remit.yaml"), `${lines.join("\n")}\n`);
  };
  async function remit(codes: readonly number[], ...argv: readonly string[]): Promise<string> {
    const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
    const seen = await runInside([...argv, ...ANSWERS], { cwd: project.cwd, env, clock: hastyClock(200) });
    const text = `${argv.join(" ")}: ${(seen.stdout + seen.stderr).replace(/\s+/g, " ")}`;
    expect(codes, text).toContain(seen.code);
    return text;
  }
  try {
    decide("  []");
    project.write(manifestsOf(company));
    if (wrong !== null) {
      const { operation, fault } = wrong;
      sandbox.faults.set({ seed: 1, rules: [{ ...fault, operation, times: 1 }] });
      await remit([0, 1, 3], "apply", "--yes");
      sandbox.faults.set({ seed: 1, rules: [] });
    }
    await remit([0], "apply", "--yes");
    await remit([0], "plan", "--detailed-exitcode");
    expect(standing(sandbox.store), "made").toEqual(namesOf(company));

    let left = company;
    const gone: Member[] = [];
    while (left.length > 1) {
      const isLeft = (name: string | undefined) => left.some((other) => other.name === name);
      const free = left.filter(
        ({ name, keeps }) => !isLeft(keeps) && left.every(({ needs }) => !needs.includes(name)),
      );
      const one = free[picks.next().value % free.length];
      if (one === undefined) throw new Error("something can go");
      const address = `${one.kind}/${one.name}`;
      left = left.filter((other) => other !== one);
      gone.push(one);
      project.write(manifestsOf(left));
      decide("  []");
      expect(await remit([0], "plan"), address).toContain(address);
      const isList = one.kind === "AppConfigurationRules";
      decide(`  - { address: ${address}, then: ${isList ? "forget" : "delete"} }`);
      const said = await remit([0], "apply", "--yes");
      expect(said, address).toContain(`${isList ? "forget" : "delete"} ${address}`);
      await remit([0], "plan", "--detailed-exitcode");
      const expected = namesOf(left);
      expect(standing(sandbox.store), address).toEqual(expected);
    }
  } finally {
    await sandbox.close();
    project.close();
  }
}

function namesOf(members: readonly Member[]): readonly string[] {
  return members.flatMap(({ kind, name }) => (kind in LISTS ? [name] : [])).sort();
}

/** The names of all that is there and that people made. */
function standing(store: Store): readonly string[] {
  const all = [...new Set(Object.values(LISTS))].flatMap((list) =>
    (store[list].all() as readonly { readonly [name: string]: unknown }[]).filter(
      ({ deletedAt, systemBuiltin, id }) =>
        deletedAt === undefined && systemBuiltin !== true && !String(id).startsWith("2builtin"),
    ),
  );
  return all.map(({ displayName, value }) => String(value ?? displayName)).sort();
}
