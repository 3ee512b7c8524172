import { describe, expect, it } from "vitest";
import { actions, automation, newType, outcomes, scope, setScene, type } from "./scene.js";

const world = [
  newType("team", "Team", ["2fsgTvxP0DVTsNXEUBI7hOe0l5F"]),
  automation(1),
  automation(2),
  scope(1),
];

describe("a plan that is run", () => {
  for (const on of ["full", "core", "auto"] as const) {
    it(`is done, and planned again it is nothing, on ${on}`, async () => {
      const { plan, apply, snapshot } = await setScene({ on });
      const wanted = on === "core" ? [type("team", "2fsgTvxP0DVTsNXEUBI7hOe0l5E"), ...world.slice(1)] : world;
      const run = await apply(await plan(wanted));
      expect(Object.values(outcomes(run))).toEqual(["done", "done", "done", "done"]);
      expect(run.fault).toBeNull();
      expect(Object.keys((await snapshot()).entries)).toHaveLength(4);
      expect(actions(await plan(wanted))).toEqual([]);
    });
  }
});
