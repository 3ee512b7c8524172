import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { cases } from "../fakes/cases.js";
import { GROUP, memberNamed, resourceNamed } from "../fakes/groups.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/**
 * Owners of both sorts on an app, an entitlement and a resource, before and after, whatever ends an apply. Each is written
 * by a single call, and no call is sent again that was answered.
 */

const ANSWERS = ["--acknowledge", "unknown-current", "--acknowledge", "no-owner-left"];
const APPLY = ["apply", "--yes", ...ANSWERS];
const LAG = 300_000;
const HOUR = 3_600_000;
const PEOPLE = [0, 1, 2, 3].map((at) => idOf(`owner${at}`));
const OWNED = [0, 1].map((at) => idOf(`owning${at}`));
const HOSTS = ["App", "Entitlement", "Resource"] as const;

/** An owner by its place among those of its sort, with its role. */
interface Owner {
  readonly sort: "user" | "entitlement";
  readonly at: number;
  readonly role: string;
}

/** What ends an apply early, at a call that writes an owner. */
interface Trouble {
  readonly call: number;
  readonly how:
    | "forbidden"
    | "not found"
    | "failed"
    | "lost"
    | "written, then 500"
    | "killed"
    | "killed before it";
}

interface Round {
  /** What each object's manifest says of owners; null where it says nothing. */
  readonly wanted: Readonly<Record<(typeof HOSTS)[number], readonly Owner[] | null>>;
  /** What is added or removed by hand before the run. */
  readonly byHand: readonly {
    readonly host: (typeof HOSTS)[number];
    readonly owner: Owner;
    readonly isAdded: boolean;
  }[];
  readonly trouble: Trouble | null;
  /** Whether the next run comes before the service shows what was written. */
  readonly isSoon: boolean;
  /** Whether a saved plan is applied, and after its trouble once more. */
  readonly isSaved: boolean;
  /** Whether another field of the objects changes, too. */
  readonly description: string;
}

const owner: fc.Arbitrary<Owner> = fc.oneof(
  fc.record({
    sort: fc.constant("user" as const),
    at: fc.nat({ max: 3 }),
    role: fc.constantFrom("keeper", "keeper", "helper"),
  }),
  fc.record({
    sort: fc.constant("entitlement" as const),
    at: fc.nat({ max: 1 }),
    role: fc.constant("keeper"),
  }),
);
const owners = fc.uniqueArray(owner, { selector: nameOf, maxLength: 5 });
const wanted = fc.option(owners, { freq: 5 });
const round: fc.Arbitrary<Round> = fc.record({
  wanted: fc.record({ App: wanted, Entitlement: wanted, Resource: wanted }),
  byHand: fc.array(fc.record({ host: fc.constantFrom(...HOSTS), owner, isAdded: fc.boolean() }), {
    maxLength: 2,
  }),
  trouble: fc.option(
    fc.record({
      call: fc.integer({ min: 1, max: 5 }),
      how: fc.constantFrom<Trouble["how"]>(
        "forbidden",
        "not found",
        "failed",
        "lost",
        "written, then 500",
        "killed",
        "killed before it",
      ),
    }),
    { freq: 4 },
  ),
  isSoon: fc.boolean(),
  isSaved: fc.boolean(),
  description: fc.constantFrom("", "Ours"),
});
const worlds = fc.record({
  lag: fc.constantFrom(0, LAG),
  rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
});

function nameOf({ sort, at, role }: Owner): string {
  return `${role} ${sort === "user" ? PEOPLE[at] : OWNED[at]}`;
}

function specOf({ sort, at, role }: Owner): JsonObject {
  return sort === "user"
    ? { user: PEOPLE[at] ?? "", role }
    : { entitlement: { appId: C1_APP_ID, id: OWNED[at] ?? "" }, role };
}

function manifestsOf({ wanted, description }: Round): readonly Manifest[] {
  const more = (host: (typeof HOSTS)[number]) => ({
    ...(wanted[host] !== null && { owners: wanted[host]?.map(specOf) }),
    ...(description !== "" && { description }),
  });
  return [
    { kind: "App", name: "desk", spec: { displayName: "Desk", ...more("App") } },
    resourceNamed("eng", "Engineering", more("Resource")),
    memberNamed("eng-member", "eng", more("Entitlement")),
  ];
}

const RULES: Readonly<Record<Trouble["how"], Rule>> = {
  forbidden: { fault: "error", status: 403 },
  "not found": { fault: "error", status: 404 },
  failed: { fault: "error", status: 500 },
  lost: { fault: "lost" },
  "written, then 500": { fault: "error", status: 500, written: true },
  killed: { fault: "reset" },
  "killed before it": { fault: "reset" },
};

it("owners are written one by one, none twice and none lost, whatever ends an apply", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const seen = await play(world);
      expect(seen.faults, seen.said).toEqual([]);
    }),
    { seed: 49, numRuns: cases(3), endOnFailure: true },
  );
}, 900_000);

/** The last call of each object: a killed run may not have heard the answer. */
function lastOfEach(answered: ReadonlyMap<string, string>): Iterable<string> {
  return new Map(
    [...answered.keys()].map((path) => [path.slice(0, path.indexOf("/owners/")), path]),
  ).values();
}

async function play({ lag, rounds }: { readonly lag: number; readonly rounds: readonly Round[] }) {
  let late = 0;
  const hasty = hastyClock(1000);
  const clock: Clock = { ...hasty, now: () => hasty.now() + late };
  const users = PEOPLE.map((id) => ({ id, displayName: id, email: `${id}@example.test`, status: "ENABLED" }));
  const project = makeProject({ guards: { maxChangesPercent: 100 } });
  const kept = mkdtempSync(join(tmpdir(), "remit-kept-"));
  const [folder, copy] = [join(project.cwd, ".remit"), join(kept, "copy")];
  const mood: readonly Rule[] = [{ fault: "quirks", quirks: { ownersLag: lag } }];
  const fails = (rule: Rule): readonly Rule[] =>
    ["POST", "DELETE"].map((method) => ({ ...rule, method, path: "*/owners/*" }) as Rule);
  let trouble: Trouble | null = null;
  let calls = 0;
  let heard = 0;
  const sandbox = await startSandbox({
    tenant: { ...EMPTY_TENANT, open: false, apps: [{ id: C1_APP_ID, displayName: "C1" }], users } as never,
    clock,
    log({ operation }) {
      if (!/^(Add|Remove)\w*Owner/.test(operation ?? "") || trouble === null) return;
      calls += 1;
      meet(trouble);
    },
  });
  /** Sets what meets the next call. */
  function meet({ call, how }: Trouble): void {
    const isKill = how.startsWith("killed");
    if (isKill && calls === (how === "killed" ? call : call - 1)) {
      if (existsSync(folder)) cpSync(folder, copy, { recursive: true });
      sandbox.faults.set({ seed: 1, rules: [...mood, { fault: "reset" }] });
    } else if (!isKill && calls === call - 1) {
      const often = how === "lost" || how === "written, then 500" ? { times: 1 } : {};
      sandbox.faults.set({ seed: 1, rules: [...mood, ...fails({ ...RULES[how], ...often } as Rule)] });
    } else if (!isKill && calls === call) calm();
  }
  const calm = () => sandbox.faults.set({ seed: 1, rules: mood });
  const env = {
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    REMIT_REQUEST_TIMEOUT: "1s",
    REMIT_CREATE_LAG: "1s",
  };
  const faults: string[] = [];
  let said = "";
  const run = async (...argv: readonly string[]): Promise<Seen> => {
    const seen = await runInside(argv, { cwd: project.cwd, env, clock });
    said += `${argv[0]} (${seen.code}) ${seen.stdout}${seen.stderr}\n`;
    if (seen.code === 70) faults.push("an internal error");
    judgeCalls();
    return seen;
  };
  const rowsOf = (host: string) =>
    sandbox.store.owners.all().filter((row) => row.of === host && row.deletedAt === undefined);
  const shown = (host: string) =>
    rowsOf(host)
      .map(
        ({ roleSlug, userRefId, appEntitlementRefId }) => `${roleSlug} ${userRefId ?? appEntitlementRefId}`,
      )
      .sort();

  /** What was sent since the last run: single calls alone, adds first, none again that was answered. */
  const answered = new Map<string, string>();
  function judgeCalls(): void {
    const removed = new Set<string>();
    for (const { operation, path, status, delivered, sequence, fault } of sandbox.log.entries({
      after: heard,
    })) {
      heard = sequence;
      if (!/Owner/.test(operation ?? "") || operation?.startsWith("List")) continue;
      if (!/^(Add|Remove)/.test(operation ?? "")) faults.push(`${operation} is no single call`);
      const verb = operation?.startsWith("Add") ? "Add" : "Remove";
      const host = path.slice(0, path.indexOf("/owners/"));
      if (verb === "Remove") removed.add(host);
      else if (removed.has(host)) faults.push(`an add after a remove: ${path}`);
      if (fault !== null && fault !== "quirks") answered.delete(path);
      else if (status === 200 && delivered) {
        if (answered.get(path) === verb) faults.push(`twice: ${operation} ${path}`);
        answered.delete(path);
        answered.set(path, verb);
      }
    }
  }

  for (const [at, id] of OWNED.entries()) {
    const row = {
      id,
      appId: C1_APP_ID,
      displayName: `Owning ${at}`,
      appResourceTypeId: GROUP.appResourceTypeId,
    };
    sandbox.store.entitlements.put(C1_APP_ID, id, row as never);
  }
  calm();
  try {
    for (const [number, one] of rounds.entries()) {
      if (number > 0 && !one.isSoon) late += HOUR;
      // By hand, once everything is shown: before that, a plan cannot tell it from what remit wrote.
      if (!one.isSoon || number === 0 || lag === 0)
        for (const { host, owner, isAdded } of one.byHand) await byHand(host, owner, isAdded);
      const before = Object.fromEntries(HOSTS.map((host) => [host, shown(host)]));
      project.write([...manifestsOf(one)]);
      trouble = one.trouble;
      calls = 0;
      if (one.isSaved) await run("plan", "--out", "plan.json", ...ANSWERS);
      const apply = one.isSaved ? ["apply", "plan.json", "--yes", ...ANSWERS] : APPLY;
      if (trouble?.call === 1) meet(trouble);
      await run(...apply);
      trouble = null;
      if (existsSync(copy)) {
        rmSync(folder, { recursive: true, force: true });
        cpSync(copy, folder, { recursive: true });
        rmSync(copy, { recursive: true });
        for (const path of lastOfEach(answered)) answered.delete(path);
      }
      calm();
      if (one.trouble?.how.startsWith("killed")) await run("state", "unlock");
      await run(...apply);
      late += HOUR;
      const last = await run(...APPLY);
      if (last.code !== 0) faults.push(`the last apply of round ${number} ends with ${last.code}`);
      const soon = await run("plan", "--detailed-exitcode");
      const isSettling = /settling/.test(soon.stdout + soon.stderr);
      if (soon.code !== 0 && !isSettling) faults.push(`round ${number}: the next plan is not empty`);
      late += HOUR;
      const plan = await run("plan", "--detailed-exitcode");
      if (plan.code !== 0) faults.push(`round ${number}: a later plan is not empty`);
      for (const host of HOSTS) {
        const is = shown(host).join();
        const names = one.wanted[host]?.map(nameOf).sort() ?? before[host] ?? [];
        if (is !== names.join()) faults.push(`round ${number}: ${host} has ${is}, and not ${names.join()}`);
      }
    }
    return { faults, said };
  } finally {
    await sandbox.close();
    project.close();
    rmSync(kept, { recursive: true, force: true });
  }

  async function byHand(host: string, owner: Owner, isAdded: boolean): Promise<void> {
    const place = placeOf(host);
    if (place === null) return;
    const { sort, at, role } = owner;
    const who =
      sort === "user" ? `users/${role}/${PEOPLE[at]}` : `entitlements/${role}/${C1_APP_ID}/${OWNED[at]}`;
    const path = `/api/v2/${place}/owners/${who}`;
    const method = isAdded ? "POST" : "DELETE";
    const headers = { authorization: `Bearer ${sandbox.token}` };
    await fetch(`${sandbox.url}${path}`, { method, headers, body: "{}" });
    answered.delete(path);
    heard = sandbox.log.entries().at(-1)?.sequence ?? heard;
    late += HOUR;
  }

  /** Where an object is; null as long as there is none. */
  function placeOf(host: string): string | null {
    const { apps, resources, entitlements } = sandbox.store;
    const isNamed = (name: string) => (row: JsonObject) =>
      row.displayName === name && row.deletedAt === undefined;
    const app = apps.all().find(isNamed("Desk"));
    if (host === "App") return app === undefined ? null : `apps/${app.id}`;
    const row = (host === "Resource" ? resources : entitlements)
      .all()
      .find(isNamed(host === "Resource" ? "Engineering" : "Member")) as JsonObject | undefined;
    if (row === undefined) return null;
    const type = `resource_types/${GROUP.appResourceTypeId}/resources/${row.id}`;
    return `apps/${C1_APP_ID}/${host === "Resource" ? type : `entitlements/${row.id}`}`;
  }
}
