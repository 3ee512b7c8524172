import { describe, expect, it } from "vitest";
import { readSource, readSources, type Source } from "./imports.js";
import { faultsOf } from "./rules.js";

const sources = readSources("src");

function withFile(path: string, text: string): readonly Source[] {
  return [...sources.filter((source) => source.path !== path), readSource(path, text)];
}

describe("the house", () => {
  it("stands as it was designed", () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(faultsOf(sources)).toEqual([]);
  });
});

describe("the rules notice", () => {
  const plants: readonly {
    readonly what: string;
    readonly path: string;
    readonly text: string;
    readonly says: string;
  }[] = [
    {
      what: "an import from a floor above",
      path: "model/planted.ts",
      text: 'import { kinds } from "../kinds/index.js";\nexport const planted = kinds;',
      says: "model/planted.ts: imports kinds/index.ts, which is a floor above",
    },
    {
      what: "a type import from a floor above",
      path: "diff/planted.ts",
      text: 'import type { Plan } from "../plan/plan.js";\nexport type Planted = Plan;',
      says: "diff/planted.ts: imports plan/plan.ts, which is a floor above",
    },
    {
      what: "a re-export from a floor above",
      path: "model/planted.ts",
      text: 'export { compare } from "../diff/compare.js";',
      says: "model/planted.ts: imports diff/compare.ts, which is a floor above",
    },
    {
      what: "a form that reads a plan",
      path: "report/forms/planted.ts",
      text: 'import type { Step } from "../../plan/step.js";\nexport type Planted = Step;',
      says: "report/forms/planted.ts: imports plan/step.ts; a form prints what report/view gives it",
    },
    {
      what: "a form that computes what a reader sees of a step",
      path: "report/forms/planted.ts",
      text: 'export { labelOf } from "../plan/words/labels.js";',
      says: "report/forms/planted.ts: imports report/plan/words/labels.ts; a form prints what report/view gives it",
    },
    {
      what: "console.log outside cli",
      path: "plan/planted.ts",
      text: 'export function planted(): void {\n  console.log("here");\n}',
      says: "plan/planted.ts: uses console.log; only cli, sandbox, bin may: take it as an argument",
    },
    {
      what: "the clock outside cli",
      path: "plan/planted.ts",
      text: "export const planted = (): number => Date.now();",
      says: "plan/planted.ts: uses Date.now; only cli, sandbox, bin may: take it as an argument",
    },
    ...(
      [
        ["randomness", "Math.random", "Math.random()"],
        ["randomness of the platform", "crypto.randomUUID", "crypto.randomUUID()"],
        ["a timer", "setTimeout", "setTimeout(planted, 1)"],
        ["the environment", "process.env", "process.env.HOME"],
        ["the net", "fetch", 'fetch("https://example.com")'],
        ["the outside by another name", "globalThis.process", "globalThis.process"],
      ] as const
    ).map(([what, use, expression]) => ({
      what: `${what} outside cli`,
      path: "plan/planted.ts",
      text: `export const planted = (): unknown => ${expression};`,
      says: `plan/planted.ts: uses ${use}; only cli, sandbox, bin may: take it as an argument`,
    })),
    {
      what: "a package that the design does not name",
      path: "plan/planted.ts",
      text: 'import { pick } from "lodash";\nexport const planted = pick;',
      says: "plan/planted.ts: imports lodash; it is not among the dependencies",
    },
    {
      what: "a module of node without its prefix",
      path: "tenant/client/planted.ts",
      text: 'import { readFileSync } from "fs";\nexport const planted = readFileSync;',
      says: "tenant/client/planted.ts: imports fs; write node:fs",
    },
    {
      what: "the sandbox used by the engine",
      path: "plan/planted.ts",
      text: 'import { chance } from "../sandbox/chance.js";\nexport const planted = chance;',
      says: "plan/planted.ts: imports sandbox/chance.ts; only cli, commands may",
    },
    {
      what: "the clock through a constructor",
      path: "report/planted.ts",
      text: "export const planted = (): Date => new Date();",
      says: "report/planted.ts: uses new Date(); only cli, sandbox, bin may: take it as an argument",
    },
    {
      what: "a package imported from a second folder",
      path: "plan/planted.ts",
      text: 'import { parse } from "yaml";\nexport const planted = parse;',
      says: "plan/planted.ts: imports yaml; only manifest, sandbox may",
    },
    {
      what: "node's own modules where nothing outside is touched",
      path: "report/planted.ts",
      text: 'import { readFileSync } from "node:fs";\nexport const planted = readFileSync;',
      says: "report/planted.ts: imports node:fs; the outside is touched elsewhere",
    },
    {
      what: "a sandbox that shares code with the client",
      path: "sandbox/planted.ts",
      text: 'import { kinds } from "../kinds/index.js";\nexport const planted = kinds;',
      says: "sandbox/planted.ts: imports kinds/index.ts; the sandbox knows model alone",
    },
    {
      what: "a file over the wall",
      path: "model/planted.ts",
      text: "export const planted = 1;\n".repeat(401),
      says: "model/planted.ts: 401 lines; the wall is 400: split it by noun",
    },
    {
      what: "a function that is too long",
      path: "model/planted.ts",
      text: `\nexport const planted = () => {\n${"  planted();\n".repeat(149)}};`,
      says: "model/planted.ts: the function at line 2 has 151 lines; the most is 150: split it by question",
    },
    {
      what: "a kind named outside of kinds",
      path: "tenant/planted.ts",
      text: 'export const planted = (kind: string): boolean => kind === "ResourceType";',
      says: "tenant/planted.ts: names the kind ResourceType; only kinds may: make it data of the kind",
    },
    {
      what: "a kind as a property, outside of kinds",
      path: "apply/planted.ts",
      text: "export const planted = { TemplateScope: 1 };",
      says: "apply/planted.ts: names the kind TemplateScope; only kinds may: make it data of the kind",
    },
    {
      what: "a file beside a folder of its name",
      path: "manifest/format.ts",
      text: "export const planted = 1;",
      says: "manifest/format.ts: stands beside manifest/format/; move it inside",
    },
    {
      what: "a client that reads variables",
      path: "tenant/client/planted.ts",
      text: 'import { readVariable } from "../../model/variables.js"; export const planted = readVariable;',
      says: "tenant/client/planted.ts: imports model/variables.ts; cli/credentials gives secrets, and cli reads variables",
    },
    {
      what: "a second giver of secrets",
      path: "cli/open/planted.ts",
      text: 'import { readSecret } from "../../model/variables.js"; export const planted = readSecret;',
      says: "cli/open/planted.ts: uses readSecret; cli/credentials/give.ts gives out secrets",
    },
    {
      what: "the environment of the process",
      path: "sandbox/planted.ts",
      text: "export const planted = process.env;",
      says: "sandbox/planted.ts: uses process.env; take an Environment",
    },
    {
      what: "a junk drawer",
      path: "model/utils.ts",
      text: "export const planted = 1;",
      says: "model/utils.ts: a junk-drawer name; name what it holds",
    },
  ];

  it.each(plants)("$what", ({ path, text, says }) => {
    expect(faultsOf(withFile(path, text))).toContain(says);
  });

  it("a cycle, though it is of types alone", () => {
    const planted = [
      ...withFile("model/one.ts", 'import type { Two } from "./two.js";\nexport type One = Two;'),
      readSource("model/two.ts", 'import type { One } from "./one.js";\nexport type Two = One;'),
    ];
    expect(faultsOf(planted)).toContain("model/one.ts → model/two.ts → model/one.ts: a cycle");
  });

  it("a permission without a use", () => {
    expect(faultsOf(sources.filter(({ path }) => path !== "manifest/files.ts"))).toContain(
      "manifest: does not import ignore; take the permission away",
    );
  });

  it("an import() as well as an import", () => {
    const planted = withFile("model/planted.ts", 'export const planted = () => import("../plan/plan.js");');
    expect(faultsOf(planted)).toContain("model/planted.ts: imports plan/plan.ts, which is a floor above");
  });

  it("nothing in texts and comments that only speak of it", () => {
    const planted = withFile("model/planted.ts", '// console.log(1)\nexport const planted = "Date.now()";');
    expect(faultsOf(planted).filter((fault) => fault.startsWith("model/planted.ts"))).toEqual([]);
  });
});
