import { describe, expect, it } from "vitest";
import type { Step } from "../../../../src/plan/step.js";
import { explain } from "../../../../src/report/plan/words/reasons.js";
import { EVERY_REASON } from "../../faces.js";
import { automation, report } from "../../plans.js";
import { printed } from "../../printed.js";

describe("each action and reason", () => {
  it("has a sign and a word at a terminal, and its sentence", () => {
    expect(printed(report(EVERY_REASON))).toMatchInlineSnapshot(`
      "Blocked: 8 steps blocked, 1 delete, 3 objects no longer managed.
      Plan for https://tenant.example
      No state: remit cannot tell who changed a field or which manifests were
        deleted.

      - delete  ResourceType/type-11  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · the manifest was removed, and
        \`removed:\` in remit.yaml deletes it

      ! blocked ResourceType/type-17  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: current unknown
          = Do something.

      ! blocked ResourceType/type-18  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: parent missing
          = Do something.

      ! blocked ResourceType/type-19  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: cannot create
          = Do something.

      ! blocked ResourceType/type-20  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: read failed
          = Do something.

      ! blocked ResourceType/type-21  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: reference not found
          = Do something.

      ! blocked ResourceType/type-22  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: outcome uncertain
          = Do something.

      ! blocked ResourceType/type-23  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: need blocked
          = Do something.

      ! blocked ResourceType/type-24  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E
          warning[plan/says] why: cannot delete
          = Do something.

      ~ update  ResourceType/type-04  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E

      ~ update  ResourceType/type-05  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · never applied by remit

      + create  ResourceType/type-00  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · not in the tenant yet

      + create  ResourceType/type-01  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · never applied by remit

      + create  ResourceType/type-02  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · no longer in the tenant; remit creates
        it again

      + create  ResourceType/type-03  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · changed since the last apply; the core
        interface can only create it again

      = adopt   ResourceType/type-06 matches: only recorded

      = adopt   ResourceType/type-07 matches: only recorded

      = adopt   ResourceType/type-08 matches: only recorded

      = adopt   ResourceType/type-09 matches: only recorded

      = adopt   ResourceType/type-10 matches: only recorded

      × forget  ResourceType/type-12  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · no longer managed; STAYS ACTIVE in the
        tenant

      × forget  ResourceType/type-13  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · no longer in the tenant; remit removes
        it from the state

      ? removed ResourceType/type-14  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · the manifest was removed; STAYS ACTIVE
        in the tenant until you decide

        unchanged ResourceType/type-15  reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · another object of the service manages
        it, so remit leaves it unchanged
          warning[plan/says] why: managed elsewhere
          = Do something.

      The removed object stays as before until you decide: write \`then: delete\` or
        \`then: forget\` under \`removed:\` in remit.yaml, or use --prune to delete.
      Plan: 4 to create, 2 to change, 1 to delete; 5 to adopt; 1 removed from the
        project, still active; 2 to stop managing; 8 blocked; 2 unchanged.
      "
    `);
  });

  it("is said otherwise where the action makes it mean something else", () => {
    const says = (action: Step["action"], reason: Step["reason"]) =>
      explain(automation({ action, reason }), undefined);
    expect(says("delete", "manifest removed")).not.toBe(says("forget", "manifest removed"));
    expect(says("create", "differs")).not.toBe(says("update", "differs"));
  });
});
