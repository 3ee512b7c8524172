import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { grantsOf, ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "./inside.js";
import { type Manifest, makeProject, type Project, type Spec } from "./project.js";

/** Where groups are: the type of the tenant's own app. */
export const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };

/** The manifest of a group's resource. */
export function resourceNamed(name: string, displayName: string, more: Spec = {}): Manifest {
  return { kind: "Resource", name, spec: { ...GROUP, displayName, ...more } };
}

/** The manifest of a group's membership. */
export function memberNamed(name: string, resource: string, more: Spec = {}): Manifest {
  const spec = { ...GROUP, appResourceId: { manifest: resource }, displayName: "Member", alias: name };
  return { kind: "Entitlement", name, spec: { ...spec, ...more } };
}

/** The manifest of the rule that fills a group. */
export function ruleNamed(name: string, member: string, more: Spec = {}): Manifest {
  const spec = { appId: C1_APP_ID, appEntitlementId: { manifest: member }, none: {} };
  return { kind: "EntitlementAutomation", name, spec: { ...spec, ...more } };
}

/** The user whose token the runs of a scene have. */
export const OPERATOR = "operator".padEnd(27, "0");

/** A project and a tenant that has nothing but its own app. */
export interface GroupScene {
  readonly sandbox: Sandbox;
  readonly project: Project;
  /** Replaces what `remit.yaml` says under `removed:`. */
  decide(decisions: Readonly<Record<string, "delete" | "forget">>): void;
  /** Replaces the guards of `remit.yaml`. */
  guard(limits: JsonObject): void;
  run(...argv: readonly string[]): Promise<Seen>;
  /** Runs the command, expects its exit code, and gives all that it prints in one line. */
  remit(code: number, ...argv: readonly string[]): Promise<string>;
  /** The effect of a plan, which is saved in `plan.json`. */
  plannedEffect(): Promise<string>;
  /** Lets one call of an operation end so. */
  disturb(operation: string, fault: object): void;
  /** The entitlements that are there and that people made. */
  made(): readonly JsonObject[];
  /** Gives an entitlement to so many people. */
  grant(entitlement: string, people: number): void;
  /** Gives an entitlement to a user who is there. */
  give(entitlement: string, user: string): void;
  /** Ends the grants of so many of them. */
  end(entitlement: string, people: number): void;
  close(): Promise<void>;
}

/** Sets a scene for groups; the clock of its runs goes so many times as fast. */
export async function openGroups(haste = 100): Promise<GroupScene> {
  const apps = [{ id: C1_APP_ID, displayName: "C1" }];
  const sandbox = await startSandbox({
    tenant: { ...EMPTY_TENANT, open: false, apps, operatorId: OPERATOR },
  });
  let own: JsonObject = { server: sandbox.url, guards: { maxChangesPercent: 100 } };
  let removed: readonly string[] = [];
  const project = makeProject(own);
  const file = (name: string) => join(project.cwd, name);
  const { store } = sandbox;
  function run(...argv: readonly string[]): Promise<Seen> {
    const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
    return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(haste) });
  }
  function writeSettings() {
    const settings = Object.entries(own).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const decided = removed.length === 0 ? [] : ["removed:", ...removed];
    writeFileSync(file("remit.yaml"), ["manifests: [manifests]", ...settings, ...decided, ""].join("\n"));
  }
  async function remit(code: number, ...argv: readonly string[]): Promise<string> {
    const { stdout, stderr, code: ended } = await run(...argv);
    const said = (stdout + stderr).replace(/\s+/g, " ");
    expect(ended, said).toBe(code);
    return said;
  }
  return {
    sandbox,
    project,
    run,
    remit,
    decide(decisions) {
      removed = Object.entries(decisions).map(
        ([address, then]) => `  - { address: ${address}, then: ${then} }`,
      );
      writeSettings();
    },
    guard(limits) {
      own = { ...own, guards: { maxChangesPercent: 100, ...limits } };
      writeSettings();
    },
    async plannedEffect() {
      await remit(0, "plan", "--out", "plan.json");
      return JSON.parse(readFileSync(file("plan.json"), "utf8")).effect as string;
    },
    disturb: (operation, fault) =>
      sandbox.faults.set({ seed: 1, rules: [{ operation, times: 1, ...fault } as never] }),
    made: () =>
      store.entitlements.all().filter((row) => row.isManuallyManaged === true && row.deletedAt === undefined),
    grant(entitlement, people) {
      for (let at = 0; at < people; at += 1) {
        const ids = { appId: C1_APP_ID, appEntitlementId: entitlement, appUserId: `account${at}` };
        const user = { id: `user${at}`, displayName: `User ${at}`, email: `user${at}@example.com` };
        store.users.put(ROOT, user.id, user);
        const account = { id: ids.appUserId, appId: C1_APP_ID, identityUserId: user.id };
        store.accounts.put(C1_APP_ID, account.id, account);
        const row = { ...ids, createdAt: "2026-01-01T00:00:00Z" };
        store.grants.put(grantsOf(C1_APP_ID, entitlement), ids.appUserId, row);
      }
    },
    give(entitlement, user) {
      const account = { id: `account-${user}`, appId: C1_APP_ID, identityUserId: user };
      store.accounts.put(C1_APP_ID, account.id, account);
      const ids = { appId: C1_APP_ID, appEntitlementId: entitlement, appUserId: account.id };
      store.grants.put(grantsOf(C1_APP_ID, entitlement), account.id, {
        ...ids,
        createdAt: "2026-01-01T00:00:00Z",
      });
    },
    end(entitlement, people) {
      const place = grantsOf(C1_APP_ID, entitlement);
      for (let at = 0; at < people; at += 1) {
        const row = store.grants.get(place, `account${at}`);
        if (row !== undefined)
          store.grants.put(place, `account${at}`, { ...row, deprovisionAt: "2026-01-02T00:00:00Z" });
      }
    },
    async close() {
      await sandbox.close();
      project.close();
    },
  };
}
