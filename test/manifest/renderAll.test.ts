import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Lexer } from "yaml";
import { renderAll } from "../../src/manifest/renderAll.js";
import { folder } from "./folder.js";

const MANIFEST =
  "apiVersion: remit/v1\nkind: ResourceType\nmetadata: { name: type }\nforEach: { in: teams, as: t }\n" +
  "spec: { appId: c1, displayName: { $text: '{t.id}' }, resourceType: CUSTOM }\n";
const VALUES = "apiVersion: remit/v1\nkind: Values\nspec: { teams: [{ id: a }, { id: b }] }\n";

describe("a rendering", () => {
  it("parses each text once", async () => {
    const cwd = folder({ "manifests/one.yaml": MANIFEST, "values.yaml": VALUES });
    const values = [{ path: `${cwd}/values.yaml`, place: null }];
    const lex = vi.spyOn(Lexer.prototype, "lex");
    onTestFinished(() => lex.mockRestore());
    const { manifests, diagnostics } = await renderAll({ paths: [`${cwd}/manifests`], cwd, values });
    expect(diagnostics).toEqual([]);
    expect(manifests.map(({ address }) => address)).toEqual(["ResourceType/type[a]", "ResourceType/type[b]"]);
    expect(lex.mock.calls.map(([text]) => text)).toEqual([VALUES, MANIFEST]);
  });
});

describe("a manifest that is printed as its author wrote it", () => {
  const of = (name: string, last: string) =>
    `apiVersion: remit/v1\nkind: Webhook\nmetadata: { name: ${name} }\nspec:\n  displayName: ${name}\n  url: https://a.example\n${last}`;

  it.each([
    ["a block of lines", "  description: |\n    One.\n    Two.\n"],
    ["a folded block", "  description: >\n    One.\n    Two.\n"],
    ["a block that keeps its end", "  description: |+\n    One.\n\n"],
    ["a comment", "  description: One. # said\n"],
    ["a text", "  description: One.\n"],
  ])("ends with %s before the next document", async (_, last) => {
    const text = `${of("a", last)}---\n${of("b", last)}`;
    const cwd = folder({ "m.yaml": text });
    const { manifests } = await renderAll({ paths: [`${cwd}/m.yaml`], cwd });
    expect(manifests.map((one) => one.text)).toEqual([of("a", last), of("b", last)]);
  });
});

describe("a text made by $text", () => {
  it("is one error in a choice, in its list and in a duration", async () => {
    const spec =
      "spec: { templateId: t1, scope: { userCriteria: { userStatus: [{ $text: '{unit}' }] }, " +
      "grantsByCriteria: { daysSinceLastUsed: { $text: '9{unit}' } } } }\n";
    const cwd = folder({
      "m.yaml": `apiVersion: remit/v1\nkind: TemplateScope\nmetadata: { name: q4 }\n${spec}`,
      "values.yaml": "apiVersion: remit/v1\nkind: Values\nspec: { unit: weeks }\n",
    });
    const values = [{ path: `${cwd}/values.yaml`, place: null }];
    const { diagnostics } = await renderAll({ paths: [`${cwd}/m.yaml`], cwd, values });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "$text makes texts for readers, and item 1 of userStatus is a choice",
      "$text makes texts for readers, and daysSinceLastUsed is a duration",
    ]);
  });
});
