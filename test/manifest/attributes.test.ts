import { describe, expect, it } from "vitest";
import { answersFrom } from "../../src/impact/census.js";
import { languageFor } from "../../src/impact/rule/language.js";
import { readRule } from "../../src/impact/rule/rule.js";
import { ATTRIBUTES, unknownAttributes } from "../../src/manifest/attributes.js";

const NOTHING = { people: [], areAll: true, accounts: new Map(), members: new Map(), groups: new Map() };

describe("the attributes of a subject", () => {
  it.each([
    ["user", "User"],
    ["account", "AppUser"],
  ] as const)("of %s are those of the language that counts people", (subject, type) => {
    const language = languageFor(type, answersFrom(NOTHING), new Date(0));
    const isRead = (name: string) => readRule(`[subject.${name}].size() == 1`, language).as === "rule";
    expect(ATTRIBUTES[subject].filter((name) => !isRead(name))).toEqual([]);
    const others = [...ATTRIBUTES.user, ...ATTRIBUTES.account].filter(
      (name) => !ATTRIBUTES[subject].includes(name),
    );
    expect(others.filter(isRead)).toEqual([]);
  });
  it("that the documentation does not have are found at their characters, with the nearest name", () => {
    const text = 'subject.departmnt == "A" && (subject.profile.anything == "" || subject.departmnt == "B")';
    const [fault, ...more] = unknownAttributes(text, "user");
    expect(more).toEqual([]);
    expect(text.slice(fault?.start, fault?.end)).toBe("departmnt");
    expect([fault?.message, fault?.hint]).toEqual([
      "a user has no documented attribute departmnt",
      "Did you mean department?",
    ]);
  });
  it("are not looked for in what does not parse", () => {
    expect(unknownAttributes("subject.departmnt = 1", "user")).toEqual([]);
  });
});
