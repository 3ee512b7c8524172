import { describe, expect, it } from "vitest";
import { eventLine } from "../../src/apply/stream.js";
import { loadManifests } from "../../src/manifest/load.js";
import { ownOutput } from "../../src/manifest/ownOutput.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { FORM_NAMES, type FormOptions, render, type Subjects } from "../../src/report/forms/table.js";
import { plain } from "../../src/report/text/paint.js";
import { encode } from "../../src/state/codec.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import { PARTIAL } from "../report/endings.js";
import { automation, plan, report } from "../report/plans.js";
import { folder } from "./folder.js";
import { resourceType } from "./loading.js";

const OPTIONS: FormOptions = {
  ...{ columns: 80, paint: plain, legend: false, part: "whole", verbose: false },
  ...{ maxBytes: null, linkBase: null, folder: "", packed: null, version: "0.0.0" },
  exitCode: null,
};
const FAULT = { code: "file/missing", severity: "error", message: "there is no file" } as const;
const SUBJECTS: Subjects = {
  plan: report([automation({ action: "blocked", reason: "read failed" })]),
  outcome: PARTIAL,
  failure: {
    formatVersion: 1,
    command: "plan",
    failure: "failed",
    exitCode: 1,
    server: "https://acme.example",
    commit: null,
    diagnostics: [FAULT],
  },
  diagnostics: [FAULT],
};

const event = eventLine({ type: "interrupted", signal: "SIGINT" }, "2026-01-01T00:00:00.000Z");
const outputs: readonly (readonly [name: string, text: string])[] = [
  ["a saved plan", writePlan(plan([])).text],
  ["a state", [...encode(newSnapshot("lineage", "https://tenant.example"), "0.0.0")].join("")],
  ["a stream of events", `${event}\n${event}\n`],
  ["a journal", '{"at":"2026-01-01T00:00:00.000Z","type":"run","run":"r"}\n{"at":"2026'],
  ["the data of a sandbox", '{"format":1,"tenant":{}}\n'],
];

async function written(): Promise<readonly (readonly [name: string, text: string])[]> {
  const subjects = Object.keys(SUBJECTS) as readonly (keyof Subjects)[];
  const all = subjects.flatMap((subject) =>
    FORM_NAMES.map(async (form) => {
      const text = await render(form, subject, SUBJECTS[subject], OPTIONS);
      return [`${subject} as ${form}`, text] as const;
    }),
  );
  return [...outputs, ...(await Promise.all(all)).filter(([, text]) => /^[[{]/.test(text))];
}

const load = (files: Readonly<Record<string, string>>, paths = ["."]) =>
  loadManifests({ paths, cwd: folder(files) });

describe("what remit wrote", () => {
  it("is recognised in every format, whatever the file is called", async () => {
    const texts = await written();
    expect(texts.length).toBeGreaterThanOrEqual(10);
    for (const [name, text] of texts) expect(ownOutput({ file: "x.json", text }), name).not.toBeNull();
  });

  it("is left out of a folder, and said in a note", async () => {
    const texts = await written();
    const files = Object.fromEntries(texts.map(([, text], place) => [`output-${place}.json`, text]));
    const { value, diagnostics } = await load({ ...files, "team.yaml": resourceType() });
    expect(value.map(({ address }) => address.name)).toEqual(["team"]);
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      texts.map(() => "note manifest/own-output"),
    );
  });

  it("is left out when it is larger than a manifest may be", async () => {
    const large = writePlan(plan([])).text.replace(/\n$/, " ".repeat(9 * 1024 * 1024));
    const { diagnostics } = await load({ "plan.json": large, "team.yaml": resourceType() });
    expect(diagnostics.map(({ code }) => code)).toEqual(["manifest/own-output"]);
  });

  it("is not a manifest where it is named", async () => {
    const { diagnostics } = await load({ "p.json": writePlan(plan([])).text }, ["p.json"]);
    expect(diagnostics).toMatchObject([
      {
        code: "manifest/foreign",
        severity: "error",
        message: "p.json is a saved plan that remit wrote, not a manifest",
      },
    ]);
  });

  it("is called a page where it is one, and a page of another origin too", async () => {
    const page = await render("html", "plan", SUBJECTS.plan, OPTIONS);
    const files = { "ours.html": page, "other.html": "<!DOCTYPE html><html lang=en><p>hi</p>" };
    const { diagnostics } = await load(files, ["ours.html", "other.html"]);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "manifest/foreign: other.html is a web page, not a manifest",
      "manifest/foreign: ours.html is a page of a report that remit wrote, not a manifest",
    ]);
  });

  it("does not make a folder without manifests one with manifests", async () => {
    const { diagnostics } = await load({ "plan.json": writePlan(plan([])).text });
    expect(diagnostics.map(({ code }) => code)).toContain("manifest/none");
  });
});

it.each([
  ["another tool's JSON", '{"name":"x","version":"1.0.0"}'],
  ["a JSON file with a format of its own", '{"formatVersion":2,"steps":[]}'],
  ["a report of another tool", '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"other"}}}]}'],
  [
    "a manifest that looks like a plan",
    '{"apiVersion":"remit/v1","formatVersion":2,"seal":"","effect":"","plan":{}}',
  ],
  ["a list", "[]"],
  ["no JSON", "{"],
])("%s is not an output of remit", (_what, text) => {
  expect(ownOutput({ file: "x.json", text })).toBeNull();
});
