import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accept } from "../../src/commands/accept/usage.js";
import { apply } from "../../src/commands/apply/usage.js";
import { config } from "../../src/commands/config/usage.js";
import { contexts } from "../../src/commands/contexts/usage.js";
import { docs } from "../../src/commands/docs/usage.js";
import { doctor } from "../../src/commands/doctor/usage.js";
import { evidence } from "../../src/commands/evidence/usage.js";
import { fmt } from "../../src/commands/fmt/usage.js";
import { get } from "../../src/commands/get/usage.js";
import { history } from "../../src/commands/history/usage.js";
import { impact } from "../../src/commands/impact/usage.js";
import { importCommand } from "../../src/commands/import/usage.js";
import { init } from "../../src/commands/init/usage.js";
import { plan } from "../../src/commands/plan/usage.js";
import { render } from "../../src/commands/render/usage.js";
import { approved } from "../../src/commands/review/approved/usage.js";
import { comment } from "../../src/commands/review/comment/usage.js";
import { schema } from "../../src/commands/schema/usage.js";
import { show } from "../../src/commands/show/usage.js";
import { state } from "../../src/commands/state/usage.js";
import { test } from "../../src/commands/test/usage.js";
import { validate } from "../../src/commands/validate/usage.js";
import { cases } from "../fakes/cases.js";
import { runInside } from "../fakes/inside.js";

interface Command {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

const command = (words: string, { parameters }: { readonly parameters: object }): Command => ({
  words: words.split(" "),
  flags: (parameters as { readonly flags?: Command["flags"] }).flags ?? {},
});

/** Every command but the one that serves until a signal comes. */
const COMMANDS: readonly Command[] = [
  command("accept", accept),
  command("apply", apply),
  command("config", config),
  command("contexts list", contexts.routes.list),
  command("contexts diff", contexts.routes.diff),
  command("docs", docs),
  command("doctor", doctor),
  command("evidence verify", evidence.routes.verify),
  command("fmt", fmt),
  command("get", get),
  command("history", history),
  command("impact", impact),
  command("import", importCommand),
  command("init", init),
  command("plan", plan),
  command("render", render),
  command("approved", approved),
  command("comment", comment),
  command("schema", schema),
  command("show", show),
  command("test", test),
  command("validate", validate),
  ...Object.entries(state.routes).map(([name, usage]) => command(`state ${name}`, usage)),
];

/** What a person may type at any place: names of what is there, halves of them, and what means nothing. */
const WORDS = [
  ..."manifests remit.yaml plan.json page.html empty link blank none/none .remit /dev/null . .. - * [ %".split(
    " ",
  ),
  ..."Kind/name ResourceType ResourceType/on-call-rotation ResourceType/* ResourceType/ /x #x a=b =b a= 0 1 -1 1e9 x".split(
    " ",
  ),
  ..."TemplateScope/privileged-access#spec TemplateScope/privileged-access#scope[ entitlements/GitHub users/@ values/x apps".split(
    " ",
  ),
  ..."2026-07-01 2026-07-01T00:00:00Z HEAD main@{9 sha256:0 json=plan.json text=manifests http://[ https://x:y@z git: s3:// postgres:".split(
    " ",
  ),
  "",
  " ",
  "\u202e",
  "'",
  '"',
];

let template: string;
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), "remit-lines-"));
  cpSync("test/golden/larkspur", template, { recursive: true });
  const run = (...argv: readonly string[]) => runInside(argv, { cwd: template, env: { HOME: template } });
  expect((await run("apply", "--yes", "-q")).code).toBe(0);
  await run("plan", "--out", "plan.json", "--report", "html=page.html");
  mkdirSync(join(template, "empty"));
  writeFileSync(join(template, "blank"), "");
});
afterAll(() => rmSync(template, { recursive: true }));

const anyWord = fc.constantFrom(...WORDS);

function flagOf(name: string, flag: unknown): fc.Arbitrary<readonly string[]> {
  const long = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const { kind, values = [] } = flag as { readonly kind: string; readonly values?: readonly string[] };
  if (kind === "boolean") return fc.constant([long]);
  return (kind === "enum" ? fc.constantFrom(...values) : anyWord).map((word) => [long, word]);
}

const anyLine = fc.constantFrom(...COMMANDS).chain(({ words, flags }) => {
  const anyFlag = fc.constantFrom(...Object.entries(flags), ["verbose", { kind: "boolean" }] as const);
  return fc
    .tuple(
      fc.array(
        anyFlag.chain(([name, flag]) => flagOf(name, flag)),
        { maxLength: 3 },
      ),
      fc.array(anyWord, { maxLength: 2 }),
    )
    .map(([given, rest]) => [...words, ...given.flat(), ...rest]);
});

it("no command line is a mistake of remit", { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyLine, async (argv) => {
      const cwd = mkdtempSync(join(tmpdir(), "remit-line-"));
      cpSync(template, cwd, { recursive: true });
      try {
        const { stderr } = await runInside(argv, { cwd, env: { HOME: cwd } });
        expect(stderr).not.toContain("remit made a mistake");
      } finally {
        rmSync(cwd, { recursive: true, force: true });
      }
    }),
    { numRuns: cases(8, 400) },
  );
});
