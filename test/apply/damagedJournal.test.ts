import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { setAside } from "../../src/commands/state/state.js";
import type { Interface } from "../../src/kinds/interface.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { StateError } from "../../src/state/store.js";
import { cases } from "../fakes/cases.js";
import { ACKNOWLEDGED_ALL, applied, automation, type SessionScene, sessionScene } from "./sessionScene.js";

/** Lines of a journal that cannot be read may be the only trace of a create. */

const [ANA, POLICY] = ["b".repeat(27), "c".repeat(27)];
const template = (name: string) =>
  JSON.stringify({
    ...{ apiVersion: "remit/v1", kind: "ReviewTemplate", metadata: { name } },
    spec: { displayName: name, ownerIds: [ANA], policyId: POLICY, accessReviewDuration: "14d" },
  });
const TENANT = {
  ...EMPTY_TENANT,
  open: false,
  users: [{ id: ANA, displayName: "Ana Ruiz", email: "ana@example.test", status: "ENABLED" }],
  policies: [{ policyType: "POLICY_TYPE_CERTIFY", id: POLICY, displayName: "Manager review" }],
};

/** Objects that the service does not show after a create: nothing can be read, or no list has them. */
const WORLDS = {
  "a service that cannot be read": {
    on: "core",
    text: [automation("one"), automation("two", "true", 2), automation("three", "true", 3)].join("---\n"),
    options: {},
    operation: "CreateAutomation",
  },
  "a kind without a list": {
    on: "full",
    text: ["one", "two", "three"].map(template).join("\n---\n"),
    options: { sandbox: { tenant: TENANT } },
    operation: "CreateTemplate",
  },
} as const satisfies Record<string, { readonly on: Interface; readonly [name: string]: unknown }>;
type World = (typeof WORLDS)[keyof typeof WORLDS];

const DAMAGES = {
  "cut off": (line: string) => line.slice(0, line.length / 2),
  "other bytes": (line: string) => line.replaceAll('"', "\u0000"),
  "of another version": (line: string) => line.replace('"type":"', '"type":"new '),
  gone: () => "{}",
} as const;

/** How often each create was sent. */
function sent({ sandbox }: SessionScene, { operation }: World): readonly number[] {
  const counts = new Map<string, number>();
  for (const { path, body } of sandbox.log.entries({ operation })) {
    const name = `${path} ${JSON.stringify(body)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** A run that is killed at an event of that number, whose requests may have arrived. */
async function killed(world: World, at: number): Promise<SessionScene> {
  const scene = await sessionScene(world.on, { ...world.options, width: 1 });
  let seen = 0;
  const listener = async ({ type }: { readonly type: string }) => {
    if (type === "intended" || type === "step finished") seen += 1;
    if (seen === at) throw new Error("killed");
  };
  const request = scene.request(world.text, { acknowledgements: ACKNOWLEDGED_ALL });
  await apply(scene.order(request, { lineage: "first", listener }), scene.session).catch(() => undefined);
  scene.contents.lock = null;
  return scene;
}

const thrown = (error: unknown) => (error instanceof StateError ? error.diagnostic.code : "another error");

function errorsOfPlan(scene: SessionScene, { text }: World): Promise<readonly string[]> {
  return plan(scene.request(text), scene.session).then(
    ({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
    (error) => [thrown(error)],
  );
}

function commandBy({ session, order, request }: SessionScene) {
  return { run: "by hand", project: null, owner: order(request("")).owner, clock: session.clock };
}

const attack = fc.record({
  world: fc.constantFrom(...(Object.keys(WORLDS) as (keyof typeof WORLDS)[])),
  at: fc.integer({ min: 1, max: 6 }),
  damage: fc.constantFrom(...(Object.keys(DAMAGES) as (keyof typeof DAMAGES)[])),
  lines: fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 4 }),
});

describe("a create whose lines of the journal cannot be read", () => {
  it("is never sent again: plan and apply are refused, and a person sets the lines aside", async () => {
    await fc.assert(
      fc.asyncProperty(attack, async ({ world: name, at, damage, lines }) => {
        const world = WORLDS[name];
        const scene = await killed(world, at);
        const { journal } = scene.contents;
        let isDamaged = false;
        for (const place of new Set(lines))
          if (journal[place] !== undefined) {
            journal[place] = DAMAGES[damage](journal[place]);
            isDamaged = true;
          }
        const before = [...journal];
        const errors = await errorsOfPlan(scene, world);
        const how = await applied(scene, world.text).catch(thrown);
        for (const count of sent(scene, world)) expect(count).toBe(1);
        expect(errors).toEqual(isDamaged ? ["apply/unreadable-journal"] : []);
        if (!isDamaged) return;
        expect(how).toMatch(/^(refused|apply\/unreadable-journal)$/);
        expect(journal).toEqual(before);

        const kept: string[] = [];
        const rescue = { keep: async (text: string) => `${kept.push(text)}`, drop: async () => undefined };
        await setAside(scene.session.store, rescue, { ...commandBy(scene), server: null });
        expect(JSON.parse(kept[0] ?? "")).toMatchObject({ lines: before });
        expect(await errorsOfPlan(scene, world)).toEqual([]);
        expect(await applied(scene, world.text)).toMatch(/^(applied|unchanged|refused)$/);
        expect(scene.contents.journal).toEqual([]);
      }),
      { numRuns: cases(25, 60) },
    );
  }, 120_000);
});
