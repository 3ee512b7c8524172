import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { campaign } from "./laws/campaign.js";
import { LAWS } from "./laws/ledger.js";

/** The laws of `laws/README.md` over random scenarios; `npm run laws` plays more of them, and shrinks what fails. */

const SCENARIOS = Number(process.env.REMIT_TEST_SCENARIOS ?? 12);

describe("the laws", () => {
  it(`hold in ${SCENARIOS} random scenarios`, { timeout: Math.max(600_000, SCENARIOS * 3_000) }, async () => {
    const seeds = Array.from({ length: SCENARIOS }, (_, place) => place + 1);
    const { causes, codes } = await campaign(seeds);
    const broken = causes.map(
      ({ law, cause, seeds }) =>
        `${LAWS[law]}: ${cause} (npm run laws -- --count 1 --shrink --seed ${seeds[0]})`,
    );
    expect(broken).toEqual([]);
    // Laws about applies that never succeed would say nothing.
    expect(codes.get(0) ?? 0).toBeGreaterThan(SCENARIOS / 2);
  });

  it("are tried with defects that each have one place in the source", async () => {
    const root = join(import.meta.dirname, "..", "..");
    const { MUTATIONS } = (await import(join(root, "scripts", "mutations.mjs"))) as {
      MUTATIONS: readonly { readonly name: string; readonly file: string; readonly from: string }[];
    };
    const places = MUTATIONS.map(({ name, file, from }) => {
      const count = readFileSync(join(root, file), "utf8").split(from).length - 1;
      return [name, count];
    });
    expect(places.filter(([, count]) => count !== 1)).toEqual([]);
    expect(places.length).toBeGreaterThan(10);
  });
});
