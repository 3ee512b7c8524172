import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Nameless, nameAll, slugOf } from "../../src/author/naming.js";
import { cases } from "../fakes/cases.js";

describe("a slug", () => {
  it.each([
    ["Quarterly privileged access", "quarterly-privileged-access"],
    ["  Été — Zürich (EU)  ", "ete-zurich-eu"],
    ["ﬁnance", "finance"],
    ["../../etc/passwd", "etc-passwd"],
    ["日本", ""],
    ["---", ""],
    ["a".repeat(80), "a".repeat(60)],
    [`${"a".repeat(59)} b`, "a".repeat(59)],
  ])("of %j is %j", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });
});

function team(name: string, context: string, id: string): Nameless {
  return { called: [name], alias: "", context, id };
}

describe("the names of new manifests", () => {
  it("are slugs of display names", () => {
    expect(nameAll("ResourceType", [team("Team", "GitHub", "2fsgAAAA")])).toEqual(["team"]);
  });

  it("get what differs as a suffix where several would be the same: the app, then the end of the id", () => {
    const objects = [
      team("Team", "GitHub", "2fsgAAAA"),
      team("team", "Okta", "2fsgBBBB"),
      team("Role", "AWS", "2fsgCCC1"),
      team("Role", "AWS", "2fsgCCC2"),
    ];
    expect(nameAll("ResourceType", objects)).toEqual(["team-github", "team-okta", "role-ccc1", "role-ccc2"]);
  });

  it("get the end of the id where display names of one app differ in signs or capitals only", () => {
    const objects = [
      team("Space", "Intranet", "2fsgAAA1"),
      team("space", "Intranet", "2fsgAAA2"),
      team("Collection — old", "Archive", "2fsgAAA3"),
      team("Collection (old)", "Archive", "2fsgAAA4"),
    ];
    const names = ["space-aaa1", "space-aaa2", "collection-old-aaa3", "collection-old-aaa4"];
    expect(nameAll("ResourceType", objects)).toEqual(names);
  });

  it("get what differs in their aliases first", () => {
    const objects = ["c1-data-leads-member", "c1-clinical-ops-leads-member", "", ""].map((alias, at) => ({
      ...team("Leads", at === 2 ? "Okta" : "C1", `2fsgAAA${at}`),
      alias,
    }));
    const names = ["leads-data", "leads-clinical-ops", "leads-okta", "leads-c1"];
    expect(nameAll("EntitlementAutomation", objects)).toEqual(names);
  });

  it("get the whole alias where it is a part of another one, or the only one", () => {
    const objects = ["leads", "leads-old"].map((alias, at) => ({
      ...team("Leads", "C1", `2fsgAAA${at}`),
      alias,
    }));
    expect(nameAll("EntitlementAutomation", objects)).toEqual(["leads-leads", "leads-old"]);
    const [first] = objects.slice(1);
    expect(nameAll("EntitlementAutomation", first === undefined ? [] : [first], new Set(["leads"]))).toEqual([
      "leads-old",
    ]);
  });

  it("never take a name that a manifest has, nor one that Windows reserves", () => {
    const objects = [team("Team", "GitHub", "2fsgAAAA"), team("CON", "AWS", "2fsgBBBB")];
    expect(nameAll("ResourceType", objects, new Set(["Team"]))).toEqual(["team-github", "con-aws"]);
  });

  it("come from the alias, or from the kind and the id, where the display name has no letters", () => {
    expect(
      nameAll("TemplateScope", [{ called: ["日本", "japan"], alias: "", context: "", id: "2fsgAAAA" }]),
    ).toEqual(["japan"]);
    expect(nameAll("TemplateScope", [team("日本", "", "2fsgAbCdEf")])).toEqual(["templatescope-abcdef"]);
  });

  it("are unique whatever the case, can be names of files, and do not depend on the order", () => {
    const object = fc.record({
      called: fc.array(fc.oneof(fc.constantFrom("Team", "team", "TEAM!", "", "con", "日本"), fc.string()), {
        maxLength: 2,
      }),
      alias: fc.constantFrom("", "japan", "github-team", "okta-team", "team"),
      context: fc.constantFrom("", "GitHub", "github", "Okta"),
      id: fc.stringMatching(/^[a-zA-Z0-9]{27}$/),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(object, { selector: ({ id }) => id.toLowerCase(), maxLength: 12 }),
        fc.uniqueArray(fc.constantFrom("team", "con-github", "Team-Okta"), { maxLength: 2 }),
        (objects, taken) => {
          const names = nameAll("ResourceType", objects, new Set(taken));
          const all = [...names, ...taken].map((name) => name.toLowerCase());
          expect(new Set(all).size).toBe(all.length);
          for (const name of names) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,251}[a-z0-9])?$/);
          const reversed = nameAll("ResourceType", [...objects].reverse(), new Set(taken));
          expect([...reversed].reverse()).toEqual(names);
        },
      ),
      { numRuns: cases(100) },
    );
  });
});
