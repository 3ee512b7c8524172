import { expect, test } from "vitest";
// @ts-expect-error a script has no types
import { summary } from "../../scripts/golden.mjs";

const DIFF = `diff --git a/test/golden/plan/a.face b/test/golden/plan/a.face
--- a/test/golden/plan/a.face
+++ b/test/golden/plan/a.face
@@ -3 +3 @@ context
-~ set     TemplateScope/one   a.yaml:1
+~ update  TemplateScope/one   a.yaml:1
@@ -9,0 +10 @@
+API calls: 6 to plan
diff --git a/test/golden/plan/b.face b/test/golden/plan/b.face
--- a/test/golden/plan/b.face
+++ b/test/golden/plan/b.face
@@ -4 +4 @@ context
-~ set     TemplateScope/two   b.yaml:7
+~ update  TemplateScope/two   b.yaml:7
@@ -9,0 +10 @@
+API calls: 14 to plan
`;

test("changes of the same words in different lines are one group, with a count and one example", () => {
  expect(summary(DIFF)).toBe(`Kinds of change: 2; golden files: 2

2 × set → update
  in plan/a.face:
    - ~ set     TemplateScope/one   a.yaml:1
    + ~ update  TemplateScope/one   a.yaml:1

2 × + API calls: 0 to plan
  in plan/a.face:
    + API calls: 6 to plan
`);
});

test("no change is one sentence", () => {
  expect(summary("")).toBe("No golden file changed.\n");
});
