import { describe, expect, it } from "vitest";
import { explain } from "../../../src/report/plan/reasons.js";
import { renderPlanText } from "../../../src/report/plan/terminal/render.js";
import { plain } from "../../../src/report/text/paint.js";
import { EVERY_REASON } from "../faces.js";
import { report } from "../plans.js";

describe("each action and reason", () => {
  it("has a sign and a word at a terminal, and its sentence", () => {
    expect(renderPlanText(report(EVERY_REASON), { columns: 80, paint: plain })).toMatchInlineSnapshot(`
      "Plan for https://tenant.example

      - delete  ResourceType/type-11                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Its manifest was removed, and --prune
        was given.

      ! blocked ResourceType/type-17                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · What it is now cannot be known, and the
        call would replace all of it.
          warning[plan/says] why: current unknown
          = Do something.

      ! blocked ResourceType/type-18                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · The object it belongs to is not in the
        tenant.
          warning[plan/says] why: parent missing
          = Do something.

      ! blocked ResourceType/type-19                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It would have to be created, and it
        cannot be.
          warning[plan/says] why: cannot create
          = Do something.

      ! blocked ResourceType/type-20                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It could not be read.
          warning[plan/says] why: read failed
          = Do something.

      ! blocked ResourceType/type-21                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · A name in it could not be looked up.
          warning[plan/says] why: reference not found
          = Do something.

      ! blocked ResourceType/type-22                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · An earlier create ended without an
        answer; it is not sent again by itself.
          warning[plan/says] why: outcome uncertain
          = Do something.

      ! blocked ResourceType/type-23                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Something it needs is blocked.
          warning[plan/says] why: need blocked
          = Do something.

      ~ update  ResourceType/type-04                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It differs from the manifest.

      ~ set     ResourceType/type-05                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It was never applied by us.

      + create  ResourceType/type-00                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It is not in the tenant.

      + create  ResourceType/type-01                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It was never applied by us.

      + create  ResourceType/type-02                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It is gone from the tenant.

      + create  ResourceType/type-03                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It differs from what was applied, and
        the core interface can only create.

      = adopt   ResourceType/type-06                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It is as the manifest says already; it
        is recorded as ours, and nothing is sent.

      = adopt   ResourceType/type-07                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Its manifest has another name now;
        nothing changes in the tenant.

      = adopt   ResourceType/type-08                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Fields that were ours are no longer
        written; they stay in the tenant as they are.

      = adopt   ResourceType/type-09                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Its protection changed; nothing changes
        in the tenant.

      = adopt   ResourceType/type-10                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · The tenant has moved away from what was
        applied.

        forget  ResourceType/type-12                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Its manifest was removed; it stays in
        the tenant as it is, and is ours no longer.

        forget  ResourceType/type-13                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · It is gone from the tenant.

        forget  ResourceType/type-14                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Its manifest was removed, and it cannot
        be deleted.

        keep    ResourceType/type-15                                 reviews/q4.yaml:3
        GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E · Another object of the service manages
        it; it is left alone.
          warning[plan/says] why: managed elsewhere
          = Do something.

      Plan: 1 to delete, 4 to create, 1 to update, 1 to set, 5 to adopt, 3 to forget,
      7 blocked, 2 unchanged.
      "
    `);
  });

  it("is said otherwise where the action makes it mean something else", () => {
    expect(explain("delete", "manifest removed")).not.toBe(explain("forget", "manifest removed"));
    expect(explain("create", "differs")).not.toBe(explain("update", "differs"));
  });
});
