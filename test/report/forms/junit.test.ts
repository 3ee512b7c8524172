import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import { toJunit } from "../../../src/report/forms/junit.js";
import { render } from "../../../src/report/forms/table.js";
import type { PlanReport } from "../../../src/report/plan/report.js";
import { HOSTILE, rendererContract } from "../../contracts/renderer.js";
import { DRIFTED } from "../faces.js";
import { OPTIONS } from "../html/pages.js";
import { report, span } from "../plans.js";

/** An element of XML: its name, its attributes, and what is inside. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ATTRIBUTE = /\s+([a-z-]+)="([^"<]*)"/g;

/** Reads a document of XML, strictly; throws for one that is not well formed. */
function read(document: string): Element {
  const [declaration = "", ...rest] = document.split("\n");
  expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>');
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (const token of rest.join("\n").match(/<[^<>]*>|[^<>]+/g) ?? []) {
    const [tag] = open.slice(-1);
    if (tag === undefined) throw new Error("the text goes on after the end");
    const [, end, name, attributes = "", alone] =
      /^<(\/?)([a-z-]+)((?:\s+[a-z-]+="[^"<>]*")*)(\/?)>$/.exec(token) ?? [];
    if (name === undefined) {
      if (token.startsWith("<")) throw new Error(`not an element: ${token}`);
      tag.text += decoded(token);
    } else if (end === "/") {
      expect(name).toBe(open.pop()?.name);
    } else {
      const named = Object.fromEntries(
        [...attributes.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, decoded(value ?? "")]),
      );
      const made: Element = { name, attributes: named, children: [], text: "" };
      tag.children.push(made);
      if (alone === "") open.push(made);
    }
  }
  expect(open).toEqual([root]);
  return root.children[0] as Element;
}

function decoded(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these.
  expect(text).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u);
  const signs: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#58": ":" };
  return text.replace(/&([^;]*);?/g, (_, name: string) => {
    const sign = signs[name];
    if (sign === undefined) throw new Error(`not an entity: ${name}`);
    return sign;
  });
}

const FOUND: readonly Diagnostic[] = [
  { code: "rule/bad", severity: "error", message: "a < b & c", hint: "Correct it.", span: span(3, "m.yaml") },
  { code: "rule/odd", severity: "warning", message: "odd", span: span(1, "m.yaml") },
  { code: "expectation/holds", severity: "note", message: "ana holds it", check: "t: ana holds it" },
];

describe("a report of JUnit", () => {
  it("has a case for the run and one for each check, and an error is a failure", () => {
    const { name, attributes, children } = read(toJunit(FOUND, { folder: "infra" }, "Plan: 1 to create."));
    expect([name, attributes]).toEqual([
      "testsuites",
      { name: "remit", tests: "4", failures: "1", errors: "0" },
    ]);
    const [suite] = children;
    expect(suite?.attributes).toEqual({
      name: "remit",
      tests: "4",
      failures: "1",
      errors: "0",
      skipped: "0",
    });
    const cases = suite?.children ?? [];
    expect(cases.map((one) => one.attributes)).toEqual([
      { classname: "remit", name: "the run" },
      { classname: "infra/m.yaml", name: "rule/odd", file: "infra/m.yaml", line: "1" },
      { classname: "infra/m.yaml", name: "rule/bad", file: "infra/m.yaml", line: "3" },
      { classname: "remit", name: "t: ana holds it" },
    ]);
    expect(cases.map((one) => one.children.map((inner) => [inner.name, inner.text]))).toEqual([
      [["system-out", "Plan: 1 to create."]],
      [["system-out", "warning[rule/odd]\nodd"]],
      [["failure", "a < b & c\nCorrect it."]],
      [["system-out", "note[expectation/holds]\nana holds it"]],
    ]);
  });

  it("joins what is said about one check of a file, whose name does not change with the result", () => {
    const said = (severity: "error" | "note", message: string, line: number): Diagnostic => ({
      ...{ code: `expectation/${severity}`, severity, message, span: span(line, "m.yaml") },
      check: "t: ana holds it",
    });
    const casesOf = (...found: readonly Diagnostic[]) =>
      read(toJunit(found)).children[0]?.children.slice(1) ?? [];
    const passed = casesOf(said("note", "it holds", 7));
    const failed = casesOf(
      said("error", "ana lacks it", 9),
      said("error", "ana lacks it, too", 9),
      said("note", "it holds", 9),
    );
    expect([passed, failed].map((cases) => cases.map(({ attributes: { name } }) => name))).toEqual([
      ["t: ana holds it"],
      ["t: ana holds it"],
    ]);
    expect(failed[0]?.children.map(({ name, text }) => [name, text])).toEqual([
      ["failure", "ana lacks it\nana lacks it, too"],
      ["system-out", "note[expectation/note]\nit holds"],
    ]);
  });

  it("of a plan names its cases without numbers and without the result", async () => {
    const namesOf = async (one: PlanReport) =>
      (read(await render("junit", "plan", one, OPTIONS)).children[0]?.children ?? []).map(
        ({ attributes: { name } }) => name,
      );
    const finding = {
      ...{ guard: "everyone", address: "TemplateScope/q4", hash: "sha256:1" },
      ...{ acknowledged: null, proposed: [], flag: "--acknowledge everyone" },
    };
    const planWith = (message: string) => ({
      ...report([DRIFTED]),
      findings: [{ ...finding, message }],
    });
    const before = await namesOf(planWith("it reaches 12 people"));
    expect(before).toEqual(await namesOf(planWith("it reaches 13 people")));
    expect(before).toContain("guard/everyone TemplateScope/q4");
    expect(new Set(before).size).toBe(before.length);
  });

  it("of a run without a message has one case, because Jenkins refuses a report without any", async () => {
    for (const text of [
      await render("junit", "diagnostics", [], OPTIONS),
      await render("junit", "plan", report([]), OPTIONS),
    ])
      expect(read(text).children[0]?.children.length).toBeGreaterThan(0);
  });

  it("is well formed, whatever a text has in it", () => {
    for (const text of [...HOSTILE, "\ufffe\uffff ]]> <![CDATA[ &amp; &#0;"]) {
      const one = {
        code: "plan/says",
        severity: "error",
        message: text,
        hint: text,
        span: span(3, text),
      } as const;
      expect(read(toJunit([one], {}, text)).children[0]?.children).toHaveLength(2);
    }
  });
});

rendererContract("a report of JUnit", "log", (text) =>
  toJunit(
    [{ code: "plan/says", severity: "error", message: text, hint: text, span: span(3, text) }],
    {},
    text,
  ),
);
