import { expect, it } from "vitest";
import { HASH, plan } from "../plans.js";
import { EVERYTHING, pageFor } from "./pages.js";

it("leads from a guard to the line of its step, and nowhere where the page has none", async () => {
  const finding = (name: string) => ({
    guard: "own/ours",
    address: { kind: "EntitlementAutomation", name },
    message: "Ask us.",
    hash: HASH,
    own: { level: "acknowledge", definition: HASH } as const,
    acknowledged: null,
    proposed: [],
  });
  const [listed] = EVERYTHING.steps;
  if (listed === undefined) throw new Error("a plan with everything has a step");
  const made = plan([...EVERYTHING.steps], {
    findings: [finding("unlisted"), { ...finding(""), address: listed.address }],
  });
  const page = await pageFor(made);
  const targets = [...page.matchAll(/<a href="#([^"]+)"/g)].map(([, target]) => target);
  expect(targets).toEqual([`${listed.address.kind}/${listed.address.name}`]);
  expect(targets.filter((target) => !page.includes(`id="${target}"`))).toEqual([]);
  expect(page).toContain("EntitlementAutomation/unlisted:");
});
