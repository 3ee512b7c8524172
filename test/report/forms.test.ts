import { describe, expect, it } from "vitest";
import { FORMS, type Form, type FormOptions, formsOf, render } from "../../src/report/forms.js";
import { plain } from "../../src/report/text/paint.js";
import { WHOLE } from "./endings.js";
import { report } from "./plans.js";

const OPTIONS: FormOptions = {
  columns: 80,
  paint: plain,
  legend: false,
  verbose: false,
  maxBytes: null,
  linkBase: null,
  folder: "",
  version: "0.0.0",
};

const SUBJECTS = {
  plan: report([]),
  outcome: WHOLE,
  failure: {
    formatVersion: 1,
    command: "plan",
    failure: "invalid",
    exitCode: 5,
    diagnostics: [{ code: "file/missing", severity: "error", message: "there is no file x.yaml" }],
  },
  diagnostics: [{ code: "file/missing", severity: "error", message: "there is no file x.yaml" }],
} as const;

const names = Object.keys(FORMS) as readonly Form[];
const subjects = Object.keys(SUBJECTS) as readonly (keyof typeof SUBJECTS)[];

describe.each(subjects)("a %s", (subject) => {
  const known: readonly string[] = formsOf(subject);

  it("has at least two formats, text among them", () => {
    expect(known.length).toBeGreaterThanOrEqual(2);
    expect(known).toContain("text");
  });

  it.each(names.filter((name) => known.includes(name)))("is printed as %s", async (name) => {
    const text = await print(subject, name);
    expect(text.endsWith("\n")).toBe(true);
    expect(text.length).toBeGreaterThan(10);
  });

  it.each([...names.filter((name) => !known.includes(name)), "html", "", "__proto__", "toString"])(
    "is refused as %j, and does not become terminal text",
    async (name) => {
      await expect(print(subject, name)).rejects.toThrow(
        `the format ${name} cannot print the subject ${subject}`,
      );
    },
  );
});

it("prints something different in each format", async () => {
  for (const subject of subjects) {
    const texts = await Promise.all(formsOf(subject).map((name) => print(subject, name)));
    expect(new Set(texts).size).toBe(texts.length);
  }
});

function print(subject: keyof typeof SUBJECTS, name: string): Promise<string> {
  return render(name as never, subject, SUBJECTS[subject] as never, OPTIONS);
}
