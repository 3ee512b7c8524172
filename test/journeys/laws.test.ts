import { describe, expect, it } from "vitest";
import { campaign } from "./laws/campaign.js";
import { KNOWN } from "./laws/known.js";
import { LAWS } from "./laws/laws.js";

/** The laws of issue 11 over random scenarios; `npm run laws` plays more of them, and shrinks what fails. */

const SCENARIOS = 300;

describe("the laws", () => {
  it(`hold in ${SCENARIOS} random scenarios`, { timeout: 600_000 }, async () => {
    const seeds = Array.from({ length: SCENARIOS }, (_, place) => place + 1);
    const { causes, codes } = await campaign(seeds);
    const broken = causes
      .filter(({ law, cause }) => !KNOWN.some((known) => known.law === law && known.cause.test(cause)))
      .map(
        ({ law, cause, seeds }) =>
          `${LAWS[law]}: ${cause} (npm run laws -- --count 1 --shrink --seed ${seeds[0]})`,
      );
    expect(broken).toEqual([]);
    // Laws about applies that never succeed would say nothing.
    expect(codes.get(0) ?? 0).toBeGreaterThan(SCENARIOS / 2);
  });
});
