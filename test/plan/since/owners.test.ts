import fc from "fast-check";
import { expect, it } from "vitest";
import { plan } from "../../../src/apply/preview.js";
import { apply } from "../../../src/apply/run.js";
import type { EarlierProject } from "../../../src/manifest/git/earlierProject.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { guardNames } from "../../../src/plan/guards/guards.js";
import { type Planned, pendingIn } from "../../../src/plan/plan.js";
import { typeIdOf } from "../../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../../src/state/memory.js";
import { orderFor } from "../../apply/order.js";
import { requestFor } from "../../apply/request.js";
import { cases } from "../../fakes/cases.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

/** A change that only edits owners: its plan does to them what a plan of the whole project does, and nothing to others. */

const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const idOf = (name: string, at: number) => `${name}${at}`.padEnd(27, "0");
const PEOPLE = [0, 1, 2].map((at) => idOf("user", at));
const NUMBERS = [0, 1];
const acknowledgements = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);

/** The people who own each group. */
type Owners = readonly (readonly string[])[];

const projectOf = (all: Owners) =>
  NUMBERS.map((at) =>
    JSON.stringify({
      apiVersion: "remit/v1",
      kind: "Resource",
      metadata: { name: `group-${at}` },
      spec: {
        ...GROUP,
        id: idOf("group", at),
        displayName: `Group ${at}`,
        owners: (all[at] ?? []).map((user) => ({ user, role: "keeper" })),
      },
    }),
  ).join("\n---\n");

async function plansOf(applied: Owners, tenant: Owners, base: Owners, now: Owners) {
  const clock = fakeClock();
  const users = PEOPLE.map((id) => ({ id, displayName: id, email: `${id}@example.test`, status: "ENABLED" }));
  const resources = NUMBERS.map((at) => ({ ...GROUP, id: idOf("group", at), displayName: `Group ${at}` }));
  const apps = [{ id: C1_APP_ID, displayName: "C1" }];
  const { client } = directClient(
    { tenant: { ...EMPTY_TENANT, open: false, apps, users, resources } },
    clock,
  );
  const contents = memoryContents();
  const requestOf = (all: Owners, since: EarlierProject | null) =>
    requestFor(projectOf(all), { interface: "full", acknowledgements, since });
  const session = (to = contents) => ({
    ...{ store: memoryStore(to, clock), client, clock },
    ...{ requestTimeout: 0, createLag: 0 },
  });
  await apply(orderFor(requestOf(applied, null)), session());
  // Another program changes the owners, without this state.
  await apply(orderFor(requestOf(tenant, null)), session(memoryContents()));
  const past: EarlierProject = {
    ref: "main",
    commit: "0".repeat(40),
    sources: [{ file: "-", text: projectOf(base), named: true }],
    vocabulary: NO_VOCABULARY,
    removed: [],
    prunes: false,
    isComplete: true,
    authorship: {},
  };
  const planned = async (since: EarlierProject | null): Promise<Planned> => {
    const { value, diagnostics } = await plan(requestOf(now, since), session());
    if (value === null) throw new Error(JSON.stringify(diagnostics));
    return value;
  };
  return { change: await planned(past), whole: await planned(null) };
}

const owners: fc.Arbitrary<Owners> = fc.tuple(...NUMBERS.map(() => fc.subarray(PEOPLE)));

it("a change of owners alone plans for them what the whole plan says, and leaves the rest pending", async () => {
  await fc.assert(
    fc.asyncProperty(owners, owners, owners, owners, async (applied, tenant, base, edited) => {
      // The change edits the first group alone.
      const now = [edited[0] ?? [], base[1] ?? []];
      const { change, whole } = await plansOf(applied, tenant, base, now);
      const [first, second] = [0, 1].map((at) => ({
        ofChange: change.steps.find(({ address }) => address.name === `group-${at}`),
        ofAll: whole.steps.find(({ address }) => address.name === `group-${at}`),
      }));
      const isEdited = JSON.stringify(base[0]) !== JSON.stringify(now[0]);
      if (isEdited) expect(first?.ofChange?.calls).toEqual(first?.ofAll?.calls);
      expect(second?.ofChange?.calls ?? []).toEqual([]);
      const pending = pendingIn(change).flatMap(({ calls }) => calls);
      expect(pending).toEqual([
        ...(isEdited ? [] : (first?.ofAll?.calls ?? [])),
        ...(second?.ofAll?.calls ?? []),
      ]);
    }),
    { seed: 49, numRuns: cases(6) },
  );
});
