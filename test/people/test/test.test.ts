import { describe, expect, it } from "vitest";
import { automation, cel, told } from "./scene.js";

const ENGINEERS = automation(
  "eng",
  cel('subject.department == "Engineering" && subject.jobTitle != "Intern"'),
);
const PEOPLE = { ana: { department: "Engineering" }, ben: { like: "ana", department: "Finance" } };
const ENG = "EntitlementAutomation/eng";

const run = (expect: object, rules: readonly string[] = [ENGINEERS], more: object = {}) =>
  told(rules, { people: PEOPLE, expect: [expect], ...more }).flat();

describe("a test of rules", () => {
  it.each([
    { person: "ana", holds: [ENG] },
    { person: "ben", lacks: [ENG] },
    { person: "ana", holds: "only", of: [ENG] },
  ])("holds where the rules say so: %o", (one) => {
    expect(run(one)).toEqual([]);
  });

  it("names the part of the expression that decided, and what the person has there", () => {
    expect(run({ person: "ben", holds: [ENG] })).toEqual([
      'expectation/failed t: ben does not hold EntitlementAutomation/eng = This part is false: subject.department == "Engineering". subject.department is "Finance".',
    ]);
    expect(run({ person: "ana", lacks: [ENG] })[0]).toContain(
      'This part is true: subject.department == "Engineering" && subject.jobTitle != "Intern". subject.department is "Engineering". subject.jobTitle is "".',
    );
  });

  it.each([
    ['subject.department == "A" || subject.department == "Finance"', 'true: subject.department == "Finance"'],
    ['!(subject.jobTitle == "" || subject.department == "A")', 'true: subject.jobTitle == ""'],
    ['subject.jobTitle == "" ? subject.department == "B" : true', 'false: subject.department == "B"'],
    ['subject.emails.exists(e, e == "x") && true', 'false: subject.emails.exists(e, e == "x")'],
  ])("finds the deciding part of %s", (expression, part) => {
    const [first] = run(
      { person: "ben", [part.startsWith("true: subject.department") ? "lacks" : "holds"]: [ENG] },
      [automation("eng", cel(expression))],
    );
    expect(first).toContain(`This part is ${part}`);
  });

  it("names each other rule that a person holds besides those that they may", () => {
    const rules = [
      ENGINEERS,
      automation("all", cel("true")),
      automation("fin", cel('subject.department == "Finance"')),
    ];
    expect(
      run({ person: "ana", holds: "only", of: [ENG] }, rules).map((line) => line.split(" = ")[0]),
    ).toEqual(["expectation/failed t: ana holds EntitlementAutomation/all"]);
  });

  it("asks about everyone where no person may hold it", () => {
    expect(run({ nobody: ENG }).map((line) => line.split(" = ")[0])).toEqual([
      "expectation/failed t: ana holds EntitlementAutomation/eng",
    ]);
  });

  it("does not pass with an answer that is unknown, whichever was expected", () => {
    const rule = automation(
      "eng",
      cel('has(subject.attributes.grade) && subject.department == "Engineering"'),
    );
    for (const one of [{ holds: [ENG] }, { lacks: [ENG] }])
      expect(run({ person: "ana", ...one }, [rule])[0]).toMatch(/^expectation\/unknown /);
    const without = automation("eng", '"description":"only the tenant knows the rule"');
    expect(run({ person: "ana", lacks: [ENG] }, [without])).toEqual([
      "expectation/unknown t: it is unknown whether ana holds EntitlementAutomation/eng = the manifest writes no rule, so only the tenant knows it.",
    ]);
  });

  it("takes who holds an entitlement from the test, by alias, id, app and address, and from nowhere else", () => {
    const refs = '"entitlements":{"entitlementRefs":[{"appId":{"name":"C1"},"id":{"alias":"base"}}]}';
    const rules = [automation("base", cel("false")), automation("eng", refs)];
    const asks = automation("eng", cel('c1.user.v1.HasEntitlement(subject, "app1", "ent1")'));
    for (const name of ["base", "C1/base", "EntitlementAutomation/base"])
      expect(run({ person: "ana", holds: [ENG] }, rules, { entitlements: { [name]: ["ana"] } })).toEqual([]);
    for (const name of ["ent1", "app1/ent1"]) {
      expect(run({ person: "ana", holds: [ENG] }, [asks], { entitlements: { [name]: ["ana"] } })).toEqual([]);
      expect(run({ person: "ben", lacks: [ENG] }, [asks], { entitlements: { [name]: ["ana"] } })).toEqual([]);
    }
    expect(run({ person: "ben", lacks: [ENG] }, [asks], { entitlements: { other: ["ana"] } })[0]).toContain(
      "expectation/unknown t: it is unknown whether ben holds EntitlementAutomation/eng = the test does not say under `entitlements:` who holds app1/ent1.",
    );
  });

  it("says whom a review covers and leaves out", () => {
    const review =
      '{"apiVersion":"remit/v1","kind":"TemplateScope","metadata":{"name":"r"},"spec":{"templateId":"2fsgTvxP0DVTsNXEUBI7hOe0l5A","scope":{"selectedUsers":{"userIds":[{"email":"ana@x.example"}]}}}}';
    const people = { ana: { email: "Ana@x.example" }, ben: { email: "ben@x.example" } };
    const expectations = (covers: string, leavesOut: string) =>
      told([review], {
        people,
        expect: [{ review: "TemplateScope/r", covers: [covers], leavesOut: [leavesOut] }],
      });
    expect(expectations("ana", "ben").flat()).toEqual([]);
    expect(expectations("ben", "ana").flat()).toEqual([
      "expectation/failed t: TemplateScope/r leaves out ben",
      "expectation/failed t: TemplateScope/r covers ana",
    ]);
  });

  it.each([
    [{ person: "anna", holds: [ENG] }, "expectation/mistake the test has no person anna"],
    [{ person: "ana" }, "expectation/mistake the expectation does not say what the person holds or lacks"],
    [{ person: "ana", nobody: ENG, holds: [ENG] }, "expectation/mistake an expectation is about one of"],
    [{ person: "ana", holds: "only" }, "expectation/mistake `holds: only` and `of` stand together"],
    [
      { review: ENG, holds: [ENG], covers: ["ana"] },
      "expectation/mistake `holds` and `lacks` are about a `person`",
    ],
    [{ person: "ana", hold: [ENG] }, "schema/unknown-field"],
    [
      { person: "ana", holds: ["EntitlementAutomation/engg"] },
      "expectation/no-such-rule t: the project has no rule",
    ],
  ])("%o is a mistake with its place", (one, message) => {
    expect(run(one)[0]).toContain(message);
  });

  it.each([
    [{ today: "2026-02-30" }, 'schema/format "2026-02-30" is not a day'],
    [{ today: "" }, "schema/value today is empty"],
    [
      { people: { ana: { fields: { employmntType: "Contractor" } } } },
      "schema/unknown-field employmntType is not a field of fields",
    ],
    [{ people: { ana: { fields: { type: "CONTRACTOR" } } } }, 'schema/enum "CONTRACTOR" is not a known'],
    [{ people: {} }, "schema/value people is empty"],
    [
      { entitlements: { base: ["ana"], "C1/base": ["ben"] } },
      "expectation/mistake t: base and C1/base are one entitlement, and have other people",
    ],
    [
      { entitlements: { "EntitlementAutomation/eng": [], "C1/eng": ["ben"] } },
      "expectation/mistake t: EntitlementAutomation/eng and C1/eng are one entitlement, and have other people",
    ],
  ])("%o is a mistake, and no expectation holds then", (more, message) => {
    for (const one of [{ person: "ana", lacks: [ENG] }, { nobody: ENG }])
      expect(run(one, [automation("eng", cel("false"))], more)[0]).toContain(message);
  });

  it("knows one entitlement by several names that say the same, and those of other apps by theirs", () => {
    const asks = (app: string) =>
      automation("eng", cel(`c1.user.v1.HasEntitlement(subject, "${app}", "base")`));
    const said = { "C1/base": ["ana"], "Okta/base": ["ben"] };
    const same = { base: ["ben", "ana"], "C1/base": ["ana", "ben"] };
    for (const [app, entitlements, holds, lacks] of [
      ["C1", said, "ana", "ben"],
      ["Okta", said, "ben", "ana"],
      ["C1", same, "ana", null],
    ] as const) {
      expect(run({ person: holds, holds: [ENG] }, [asks(app)], { entitlements })).toEqual([]);
      if (lacks !== null)
        expect(run({ person: lacks, lacks: [ENG] }, [asks(app)], { entitlements })).toEqual([]);
    }
  });

  it.each(["ENABLED", "DISABLED", "DELETED"])("counts a manager who is %s only if not deleted", (status) => {
    const people = { ben: { manager: "dan" }, dan: { status, email: "dan@x.example" } };
    const counts = status !== "DELETED";
    for (const [person, expression] of [
      ["ben", "c1.directory.users.v1.GetManagers(subject).size() > 0"],
      ["ben", 'subject.manager == "dan@x.example"'],
      ["ben", 'subject.manager_id != ""'],
    ] as const)
      expect(
        run({ person, [counts ? "holds" : "lacks"]: [ENG] }, [automation("eng", cel(expression))], {
          people,
        }),
      ).toEqual([]);
    const reports = automation("eng", cel("c1.directory.users.v1.DirectReports(subject).size() > 0"));
    const reversed = { ben: { status, manager: "dan" }, dan: {} };
    expect(
      run({ person: "dan", [counts ? "holds" : "lacks"]: [ENG] }, [reports], { people: reversed }),
    ).toEqual([]);
  });

  it("refuses people who are like themselves", () => {
    const people = { ana: { like: "ben" }, ben: { like: "ana" } };
    expect(told([ENGINEERS], { people, expect: [{ nobody: ENG }] }).flat()).toEqual([
      "expectation/mistake ana is like itself",
      "expectation/mistake ben is like itself",
    ]);
  });
});
