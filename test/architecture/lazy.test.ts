import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";

/** The source files that a chunk loads before it runs, as far as they are remit's own. */
function loadedWith(entry: string, { outputs }: Metafile): readonly string[] {
  const start = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry);
  const seen = new Set<string>();
  const waiting = start === undefined ? [] : [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const imports = outputs[name]?.imports ?? [];
    waiting.push(...imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path));
  }
  return [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
}

const bundle = build({
  entryPoints: { remit: "src/bin/remit.ts", start: "src/bin/start.ts" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  outdir: "unused",
  write: false,
  metafile: true,
  logLevel: "error",
}).then(({ metafile }) => metafile);

describe("a line that asks for the version", () => {
  it("loads three modules of remit where it asks for nothing else", async () => {
    expect([...loadedWith("src/bin/remit.ts", await bundle)].sort()).toEqual([
      "package.json",
      "src/bin/remit.ts",
      "src/cli/world/ignoreClosed.ts",
      "src/commands/version/alone.ts",
    ]);
  });

  it("loads no engine: of src/ only bin, cli, commands, the texts of a diagnostic and the basic values", async () => {
    const metafile = await bundle;
    const loaded = [
      ...loadedWith("src/bin/start.ts", metafile),
      ...loadedWith("src/commands/version/version.ts", metafile),
    ];
    expect(loaded).toContain("src/commands/version/version.ts");
    const folders = new Set(
      loaded.filter((file) => file.startsWith("src/")).map((file) => file.split("/").slice(1, -1).join("/")),
    );
    const engine = [...folders].filter((folder) => !/^(bin|cli|commands)/.test(folder));
    expect(engine.sort()).toEqual([
      "model",
      "report/diagnostics",
      "report/forms",
      "report/text",
      "schema",
      "tenant/client",
      "words",
    ]);
    expect(
      loaded.filter((file) => /^src\/(tenant|schema|report\/forms\/[a-zA-Z]+\.ts)/.test(file)).sort(),
    ).toEqual(["src/report/forms/table.ts", "src/schema/didYouMean.ts", "src/tenant/client/mask.ts"]);
    const packages = loaded.filter((file) => file.startsWith("node_modules/"));
    expect(packages.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).sort()).toEqual([
      "@stricli/core",
      "fastest-levenshtein",
    ]);
  });
});

describe("a plan", () => {
  it("loads nothing that writes, that reads commits, or that asks the guards of a team", async () => {
    const loaded = loadedWith("src/commands/plan/plan.ts", await bundle);
    expect(loaded).toContain("src/reconcile.ts");
    const needless =
      /^src\/(apply\/(run|carryOut|recallUnderLock|journal\/\w+)\.ts|author\/|impact\/guard\/language|manifest\/git\/(earlierProject|changes|unapplied)|people\/\w+Decided?\.ts)/;
    expect(loaded.filter((file) => needless.test(file)).sort()).toEqual([]);
  });
});

describe("an offline plan", () => {
  it("loads nothing that counts people", async () => {
    const loaded = loadedWith("src/commands/plan/plan.ts", await bundle);
    const counting =
      /^src\/(people\/(count|tallyUsers|access|spread)|impact\/(rule\/language|membership)|tenant\/people)\.ts/;
    expect(loaded.filter((file) => counting.test(file)).sort()).toEqual([]);
  });
});

describe("a command that measures nothing", () => {
  it("loads nothing of telemetry", async () => {
    const metafile = await bundle;
    const entries = Object.values(metafile.outputs).flatMap(({ entryPoint = [] }) => entryPoint);
    const holders = entries.filter((entry) =>
      loadedWith(entry, metafile).some((file) => file.startsWith("src/telemetry/")),
    );
    expect(holders).toEqual(["src/telemetry/index.ts"]);
  });
});
