import { describe, expect, it } from "vitest";
import { didYouMean, meantAddress } from "../../src/schema/didYouMean.js";

const COMMANDS = ["init", "import", "plan", "apply", "state", "show", "get"];

describe("a word that is nearly a known one", () => {
  it.each([
    ["plna", "plan"],
    ["aply", "apply"],
    ["ipmort", "import"],
    ["PLAN", "plan"],
    ["impo", "import"],
  ])("%s means %s", (word, meant) => {
    expect(didYouMean(word, COMMANDS)).toBe(`Did you mean ${meant}?`);
  });

  it.each(["destroy", "i", "s", "x".repeat(1000)])("%s means none of them", (word) => {
    expect(didYouMean(word, COMMANDS)).toBeUndefined();
  });
});

describe("an address that nothing has", () => {
  it("may have meant what has its name in each kind", () => {
    expect(meantAddress("team", ["ResourceType/team", "EntitlementAutomation/team"])).toBe(
      "Did you mean ResourceType/team or EntitlementAutomation/team?",
    );
  });

  it("suggests nothing among no addresses", () => {
    expect(meantAddress("ResourceType/team", [])).toBe("");
  });
});
