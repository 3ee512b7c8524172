import { describe, expect, it } from "vitest";
import { FORM_NAMES, type Form, type FormOptions, render } from "../../../src/report/forms/table.js";
import { plain } from "../../../src/report/text/paint.js";
import { PARTIAL } from "../endings.js";
import { automation, report } from "../plans.js";

const OPTIONS: FormOptions = {
  columns: 80,
  paint: plain,
  legend: false,
  part: "whole",
  verbose: false,
  maxBytes: null,
  linkBase: null,
  folder: "",
  packed: null,
  version: "0.0.0",
  exitCode: null,
};

const SUBJECTS = {
  plan: report([automation({ action: "blocked", reason: "read failed" })]),
  outcome: PARTIAL,
  failure: {
    formatVersion: 1,
    command: "plan",
    failure: "invalid",
    exitCode: 5,
    server: "https://acme.example",
    commit: null,
    diagnostics: [{ code: "file/missing", severity: "error", message: "there is no file x.yaml" }],
  },
  diagnostics: [{ code: "file/missing", severity: "error", message: "there is no file x.yaml" }],
} as const;

const subjects = Object.keys(SUBJECTS) as readonly (keyof typeof SUBJECTS)[];

describe.each(subjects)("a %s", (subject) => {
  it.each(FORM_NAMES)("is printed as %s", async (name) => {
    const text = await print(subject, name);
    expect(text.endsWith("\n")).toBe(true);
    expect(text.length).toBeGreaterThan(10);
  });

  it.each(["pdf", "", "__proto__", "toString"])(
    "is refused as %j, and does not become terminal text",
    async (name) => {
      await expect(print(subject, name as Form)).rejects.toThrow(`the format ${name} does not exist`);
    },
  );

  it("is something else in each format", async () => {
    const texts = await Promise.all(FORM_NAMES.map((name) => print(subject, name)));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

function print(subject: keyof typeof SUBJECTS, name: Form): Promise<string> {
  return render(name, subject, SUBJECTS[subject], OPTIONS);
}
