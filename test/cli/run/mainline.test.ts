import { expect, it } from "vitest";
import { filesInCheckout } from "../../../src/cli/run/mainline.js";
import { resolveSettings } from "../../../src/cli/settings/precedence.js";

it("a change of a file with named values is a change of the project", () => {
  const value = { manifests: ["manifests"], values: ["values/a.yaml", "values/b.yaml"] };
  const placeOf = () => ({
    span: { file: "remit.yaml", start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
    excerpt: { line: 1, text: "" },
  });
  const { settings } = resolveSettings({}, {}, { name: "remit.yaml", value, placeOf } as never);
  expect(filesInCheckout({ root: "/nowhere", settings })).toEqual([
    "remit.yaml",
    "remit.yml",
    ".remitignore",
    "manifests",
    "values/a.yaml",
    "values/b.yaml",
  ]);
});
