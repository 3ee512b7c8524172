import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

/** Copies of a diagnostic, member by member, for a program; and the form of one, as a journal is checked. */
const COPIES = ["report/forms/json.ts", "commands/evidence/verify.ts", "apply/journal/line.ts"];

/** The lines of a file that make a diagnostic from its members: an object with a code and a message. */
function literalsIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (Array.isArray(node) || typeof node !== "object" || node === null) return;
    const { type, properties, start } = node as { type?: string; properties?: unknown[]; start?: number };
    if (
      type === "ObjectExpression" &&
      ["code", "message"].every((name) => (properties ?? []).some(isNamed(name)))
    )
      found.push(`${path}:${text.slice(0, start).split("\n").length}`);
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program);
  return found;
}

function isNamed(name: string): (property: unknown) => boolean {
  return (property) => (property as { key?: { name?: string } }).key?.name === name;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/^(words|sandbox)\//.test(file),
);
const literals = new Map(
  files.map((file) => [file, literalsIn(file, readFileSync(join("src", file), "utf8"))] as const),
);

describe("a diagnostic", () => {
  it("is said by words/, and nowhere else made from a code and a message", () => {
    const others = files.filter((file) => !COPIES.includes(file));
    expect(others.flatMap((file) => literals.get(file) ?? [])).toEqual([]);
  });

  it("is still made from its members in each file of the list", () => {
    expect(COPIES.filter((file) => literals.get(file)?.length === 0)).toEqual([]);
  });

  it.each([
    'return { code: "plan/gone", severity: "error", message };',
    "const one = { ...place, code, severity, message, hint };",
  ])("is noticed in %s", (text) => {
    expect(literalsIn("planted.ts", `function planted() {\n  ${text}\n}`)).toEqual(["planted.ts:2"]);
  });
});
