import { describe, expect, it } from "vitest";
import { ansi, plain } from "../../../src/report/text/paint.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, KEPT } from "../faces.js";
import { APP, changed, plan, report, resourceType, scope } from "../plans.js";
import { printed } from "../printed.js";

const text = (...from: Parameters<typeof report>) => printed(report(...from));

describe("a plan at a terminal", () => {
  it("shows each type of change with its cause, and drift apart from intent", () => {
    expect(text([EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT])).toMatchInlineSnapshot(`
      "Blocked: 1 step blocked, 1 delete.
      Plan for https://tenant.example
      No state: remit cannot tell who changed a field or which manifests were
        deleted.

      - delete  EntitlementAutomation/contractors
        GitHub › github-admin (2fsg…5D) · the manifest was removed, and pruning
        deletes it
          - displayName: Contractors
          - cel.expression: subject.department == "Engineering"

      ! blocked ResourceType/fresh                       reviews/q4.yaml:3
        GitHub (2fsg…5C) › Fresh
          error[plan/need-blocked] it needs ResourceType/github-team, which is
            blocked
          = Fix that first.
        after ResourceType/github-team

      ~ update  TemplateScope/q4-privileged-access       reviews/q4.yaml:3
        2fsgTvxP0DVTsNXEUBI7hOe0l5A · edited in the manifest and changed in the tenant
          ~ users: allUsers instead of userCriteria  edited  :14
              - { userStatus: [ENABLED] }
          ~ scope.grantsByCriteria.daysSinceLastUsed:  edited+drifted  :16
              - 90d
              + 1d12h30m
          - scope.principalTypeFilter: PRINCIPAL_TYPE_FILTER_USERS  :2
          ~ entitlements: +1, -1 (2 → 2)  edited  :20
              - GitHub › old
              + GitHub › github-admin (2fsg…5D)
        changed in the tenant since the last apply; remit reverts:
          ~ scope.celExpression.expression:  drifted  :22
              subject.department == "[-Engineering-]{+Sales+}"
                && subject.level > 3

      + create  EntitlementAutomation/engineering-group  reviews/q4.yaml:3
        GitHub › github-admin (2fsg…5D) · not in the tenant yet
          + displayName: Engineering  :9
          + cel.expression: subject.department == "Engineering"  :11

      Drift: the tenant was changed since the last apply. An apply reverts it.

      ~ update  ResourceType/github-team                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · changed in the tenant
          ~ displayName:  :4
              in the tenant now  Teams
              an apply puts back Team

      Plan: 1 to create, 2 to change (1 reverts drift), 1 to delete; 1 blocked; 1
        unchanged.
      "
    `);
  });

  it("names each guard with the flag that answers for it, and who did", () => {
    expect(text([KEPT], { findings: EVERY_GUARD })).toMatchInlineSnapshot(`
      "Blocked: 3 guards to acknowledge, 3 findings acknowledged.
      Plan for https://tenant.example
      No state: remit cannot tell who changed a field or which manifests were
        deleted.

      Guards: nothing is applied until these are acknowledged
        ! max-deletes 6 objects would be deleted; the limit is 5
        ✓ max-changes 40 objects would be written; the limit is 30
          = acknowledged by flag
        ! protected EntitlementAutomation/contractors: it is protected, and would be
          deleted
        ✓ scope-emptied TemplateScope/q4-privileged-access: entitlements would be
          emptied
          = acknowledged in remit.yaml until 2026-07-01: reviewed in AR-7
        ! everyone TemplateScope/q4-privileged-access: scope.userCriteria would no
          longer restrict anything
        ✓ unknown-current ResourceType/github-team: it would be written without
          looking at what is there now
          = acknowledged in remit.yaml until 2026-07-01, as every such finding:
            reviewed in AR-7
        To acknowledge, write in remit.yaml:
      acknowledge:
        - guard: max-deletes
          address: "*"
          of: sha256:0000000000000000000000000000000000000000000000000000000000000000
          until: YYYY-MM-DD
          reason: why it is right
        - guard: protected
          address: EntitlementAutomation/contractors
          of: sha256:2222222222222222222222222222222222222222222222222222222222222222
          until: YYYY-MM-DD
          reason: why it is right
        - guard: everyone
          address: TemplateScope/q4-privileged-access
          of: sha256:4444444444444444444444444444444444444444444444444444444444444444
          until: YYYY-MM-DD
          reason: why it is right
        or for one apply: --acknowledge max-deletes --acknowledge
          protected=EntitlementAutomation/contractors --acknowledge
          everyone=TemplateScope/q4-privileged-access

      Nothing to do: 1 unchanged.
      "
    `);
  });

  it("says what it could not see, what is kept otherwise, and its calls", () => {
    const seen = text([DELETED, KEPT], {
      commit: "a1b2c3d4e5f6a7b8c9d0",
      unseen: [
        { what: "template scopes", why: "the core interface has no reads; remit uses what it recorded" },
      ],
      rewritten: [{ address: KEPT.address, fields: ["displayName", "description"] }],
      calls: { made: { ResourceType: 4, app: 1 }, ahead: { EntitlementAutomation: 1200 } },
      estimate: { seconds: 300, width: 4 },
    });
    expect(seen).toMatchInlineSnapshot(`
      "Needs a look: 1 delete.
      Plan for https://tenant.example · commit a1b2c3d4e5f6
      No state: remit cannot tell who changed a field or which manifests were
        deleted.

      - delete  EntitlementAutomation/contractors
        GitHub › github-admin (2fsg…5D) · the manifest was removed, and pruning
        deletes it
          - displayName: Contractors
          - cel.expression: subject.department == "Engineering"

      Not read: template scopes: the core interface has no reads; remit uses what it
        recorded
      Calls: 5 reads to plan
      Plan: 0 to create, 0 to change, 1 to delete; 1 unchanged.
      "
    `);
  });

  it("counts with -v what is not compared", () => {
    const members = ["createdAt", "futureOwner", "lastRunStatus", "nextRunAt", "ownerId", "updatedAt"];
    const notCompared = [
      { kind: "EntitlementAutomation", objects: 12, members },
      { kind: "ResourceType", objects: 1, members: ["createdAt"] },
    ];
    const lines = (verbose: boolean) =>
      printed(report([KEPT], { notCompared }), { verbose })
        .split("\n")
        .filter((line) => /compared|more/.test(line));
    expect(lines(false)).toEqual([]);
    expect(lines(true)).toMatchInlineSnapshot(`
      [
        "Not compared: 6 members of 12 objects of EntitlementAutomation: createdAt,",
        "  futureOwner, lastRunStatus, nextRunAt, ownerId and 1 more",
        "Not compared: 1 member of 1 object of ResourceType: createdAt",
      ]
    `);
  });

  it("is short where there is nothing to do", () => {
    const state = { lineage: "l", serial: 1 };
    expect(text([KEPT], { state })).toBe("Nothing to do: 1 unchanged.\n");
    expect(text([], { state })).toBe("Nothing to do.\n");
  });

  it("says that an apply of drift alone only records it", () => {
    const mode = { ...plan([]).mode, refreshOnly: true };
    const drift = { ...DRIFTED, action: "adopt", reason: "drift only" } as const;
    const shown = printed(report([drift], { mode }), { columns: 120 });
    expect(shown).toContain("This plan changes nothing; --record records it.");
  });

  it("prints a plan in two parts where its people are counted later", () => {
    const part = (part: "steps" | "rest") => printed(report([CREATED]), { legend: true, part });
    expect(part("steps")).toContain("+ create");
    expect(part("steps")).toContain("Symbols");
    expect(part("steps")).not.toContain("Plan: ");
    expect(part("rest")).not.toContain("+ create");
    expect(part("rest")).toMatch(/Plan: [^\n]*\n$/);
  });

  it("explains the symbols where asked, with or without a state, and never for a plan without steps", () => {
    const options = { columns: 80, paint: plain, verbose: false, legend: true, part: "whole" as const };
    for (const hasState of [true, false])
      expect(printed({ ...report([CREATED]), hasState }, options)).toContain("Symbols: + create");
    expect(printed(report([]), options)).not.toContain("Symbols");
    expect(printed(report([CREATED]), options)).not.toMatch(/[+~±=×?!-]\n {2}\S/);
  });

  it("folds long sets with counts", () => {
    const added = Array.from({ length: 41 }, (_, number) => ({
      appId: APP,
      appEntitlementId: `id-${number}`,
    }));
    const set = {
      type: "set",
      path: ["entitlements"],
      before: [],
      after: added,
      added,
      removed: [],
    } as const;
    const shown = text([scope({ changes: [changed(set)] })]);
    expect(shown.match(/\+ GitHub › id-/g)).toHaveLength(10);
    expect(shown).toContain("… and 31 more");
  });

  it("does not break a line inside short braces", () => {
    const value = (text: string) => ({ value: text });
    const choice = {
      type: "choice",
      path: ["scope"],
      group: "users_scope",
      from: "allUsers",
      to: "userCriteria",
      opens: false,
      before: null,
      after: { divisions: ["Clinical", "Technology", "Finance", "Operations"].map(value) },
    } as const;
    const shown = text([scope({ changes: [changed(choice)] })]);
    expect(shown).toMatch(/\{ value: Technology \},\n/);
    expect(shown).not.toMatch(/\{$|^ *\}|value:$/m);
  });

  it("fits narrow terminals too", () => {
    expect(printed(report([EVERY_CHANGE]), { columns: 44 })).toMatchInlineSnapshot(`
      "Routine: nothing is deleted.
      Plan for https://tenant.example
      No state: remit cannot tell who changed a
        field or which manifests were deleted.

      ~ update  TemplateScope/q4-privileged-access
                reviews/q4.yaml:3
        2fsgTvxP0DVTsNXEUBI7hOe0l5A · edited in
        the manifest and changed in the tenant
          ~ users: allUsers instead of
            userCriteria  edited  :14
              - { userStatus: [ENABLED] }
          ~ scope.grantsByCriteria.daysSinceLast
            Used:  edited+drifted  :16
              - 90d
              + 1d12h30m
          - scope.principalTypeFilter:  :2
              - PRINCIPAL_TYPE_FILTER_USERS
          ~ entitlements: +1, -1 (2 → 2)
            edited  :20
              - GitHub › old
              + GitHub › github-admin (2fsg…5D)
        changed in the tenant since the last
        apply; remit reverts:
          ~ scope.celExpression.expression:
            drifted  :22
              subject.department ==
              "[-Engineering-]{+Sales+}"
                && subject.level > 3

      Plan: 0 to create, 1 to change, 0 to
        delete.
      "
    `);
  });

  it("has the places of its steps in one column, and the line of a field behind it", () => {
    const long = { ...CREATED.address, name: "engineering-group-of-the-second-office" };
    const all = report([EVERY_CHANGE, CREATED, { ...CREATED, address: long }, DRIFTED]);
    for (const columns of [80, 120, Number.POSITIVE_INFINITY]) {
      const shown = printed(all, { columns }).split("\n");
      const places = shown.flatMap((line) => /^(. \w+ .* {2})\S+\.yaml:\d+$/.exec(line)?.[1]?.length ?? []);
      expect(places.length).toBeGreaterThan(2);
      expect(new Set(places).size).toBe(1);
      expect(shown.filter((line) => / {2}:\d+$/.test(line)).length).toBeGreaterThan(4);
    }
  });

  it("says the same with colours and without", () => {
    const all = report([EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED], { findings: EVERY_GUARD });
    const coloured = printed(all, { paint: ansi });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(printed(all));
  });

  it("shows fields that are given back", () => {
    expect(
      text([resourceType({ action: "adopt", reason: "given back", recorded: { givenBack: ["traitIds"] } })]),
    ).toContain("no longer managed, stays as it is in the tenant: traitIds");
  });
});
