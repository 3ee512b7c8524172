import fc from "fast-check";
import { expect, it } from "vitest";
import { ANY_TENANT } from "./anyTenant.js";
import { brokenLaws } from "./importLaws.js";

const TENANTS = Number(process.env.REMIT_TEST_TENANTS ?? 12);

// More by hand: node scripts/importLaws.mjs --count 10000
it("an import takes everything of any tenant, changes nothing, and is complete after one time", async () => {
  await fc.assert(
    fc.asyncProperty(ANY_TENANT, async (any) => {
      expect(await brokenLaws(any)).toEqual([]);
    }),
    { numRuns: TENANTS },
  );
});
