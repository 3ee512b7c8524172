import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runInside } from "../fakes/inside.js";
import { makeProject } from "../fakes/project.js";

it("an accept that cannot write one of its files says which it has written", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "remit-accept-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  cpSync("test/golden/larkspur", cwd, { recursive: true });
  const remit = (argv: readonly string[], answer?: () => string) =>
    runInside(argv, { cwd, env: { HOME: cwd }, ...(answer && { answer }) });
  const read = (file: string) => readFileSync(join(cwd, file), "utf8");
  const applied = await remit(["apply", "--yes"]);
  expect(applied.code, applied.stderr).toBe(0);
  const names = /"displayName":"(Contractors|On-call rotation)"/g;
  const drifted = read(".remit/sandbox.json").replace(names, '"displayName":"Other $1"');
  writeFileSync(join(cwd, ".remit/sandbox.json"), drifted);
  const { code, stderr } = await remit(["accept", "--all-drift"], () => {
    writeFileSync(join(cwd, "manifests/types.yaml"), `${read("manifests/types.yaml")}# changed meanwhile\n`);
    return "yes";
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("Written: manifests/groups.yaml. Not written: manifests/types.yaml."),
  ]);
  expect(read("manifests/groups.yaml")).toContain("Other Contractors");
  expect(read("manifests/types.yaml")).not.toContain("Other");
});

it.each([
  ["the folder itself", "new", "new"],
  ["the folder of a kind", "new", "new/resource-type"],
])("an import says where a file is in the place of %s", async (_, out, blocked) => {
  const project = makeProject({ server: "sandbox", sandbox: { seed: "seed.yaml" } });
  writeFileSync(join(project.cwd, "seed.yaml"), readFileSync("examples/brownfield/seed.yaml", "utf8"));
  if (blocked !== out) mkdirSync(join(project.cwd, out));
  writeFileSync(join(project.cwd, blocked), "");
  const argv = ["import", "--out", out, "ResourceType/*"];
  const { code, stderr } = await runInside(argv, { cwd: project.cwd, env: { HOME: project.cwd } });
  expect(stderr).not.toContain("remit made a mistake");
  expect([code, stderr]).toEqual([1, expect.stringContaining(out)]);
  project.close();
});
