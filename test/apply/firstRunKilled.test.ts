import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Store } from "../../src/state/store.js";
import { applied, automation, sessionScene } from "./sessionScene.js";

const ACKNOWLEDGED = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);
const TEXT = [automation("one"), automation("two", "true", 2), automation("three", "true", 3)].join("---\n");

/** How a store keeps the runs: a store without a history saves nothing of a run that changed nothing. */
const STORES: readonly (readonly [string, (store: Store) => Store])[] = [
  ["a store with a history", (store) => store],
  ["a store without a history", (store) => ({ ...store, history: null })],
];

describe.each(STORES)("a first run that is killed, in %s,", (_, kept) => {
  it.each([1, 2, 3, 4, 5, 6])(
    "leaves a state that the next run goes on with: after line %d",
    async (line) => {
      const scene = await sessionScene("full");
      const session = { ...scene.session, store: kept(scene.session.store) };
      const at = { ...scene, session };
      let seen = 0;
      const killed = apply(
        scene.order(scene.request(TEXT, { acknowledgements: ACKNOWLEDGED }), {
          lineage: "first",
          listener: async ({ type }) => {
            if (type === "intended" || type === "step finished") seen += 1;
            if (seen === line) throw new Error("killed");
          },
        }),
        session,
      );
      await killed.catch(() => undefined);
      scene.contents.lock = null;
      const { diagnostics } = await plan(scene.request(TEXT), session);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(await applied(at, TEXT)).toMatch(/^(applied|unchanged)$/);
      expect(scene.contents.journal).toEqual([]);
      expect(scene.contents.snapshot?.lineage).toBeDefined();
      expect(await applied(at, TEXT)).toBe("unchanged");
      expect(scene.sandbox.log.count({ operation: "CreateAutomation" })).toBe(3);
    },
  );
});
