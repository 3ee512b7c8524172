import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import configSchema from "../../../schemas/config.json" with { type: "json" };
import { tenantFlags } from "../../../src/cli/settings/flags.js";
import { rowOf, SETTING_NAMES } from "../../../src/cli/settings/table.js";
import { runInside } from "../../fakes/inside.js";

const rows = SETTING_NAMES.map((name) => {
  const row = rowOf(name);
  return { ...row, at: row.at ?? row.name ?? name };
});

describe("the table of settings", () => {
  it("reads every key of the project file's schema, and no other", () => {
    const keys = new Set(rows.map(({ at }) => at));
    expect([...keys].sort()).toEqual(Object.keys(configSchema.properties).sort());
  });

  it("reads every flag that all commands with a tenant have, but those that name the settings and the context", () => {
    const flags = rows.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
    expect([...flags, "settingsFrom", "context"].sort()).toEqual(Object.keys(tenantFlags).sort());
  });

  it("reads the least and the most number that the schema permits, and none beyond", () => {
    for (const { at, read, noun } of rows) {
      const property = configSchema.properties[at as keyof typeof configSchema.properties];
      if (!("minimum" in property && "maximum" in property)) continue;
      const { minimum, maximum } = property;
      expect(noun).toMatch(new RegExp(`^a (whole )?number from ${minimum} to ${maximum}$`));
      const given = [minimum - 1, minimum, maximum, maximum + 1];
      expect(given.map((number) => read(number, null))).toEqual([undefined, minimum, maximum, undefined]);
    }
  });

  const texts = Object.entries(configSchema.properties).flatMap(([at, property]) =>
    "type" in property && property.type === "string"
      ? ["", "0s", "0.0001s", "1s", "name"].map((value) => ({ at, value }))
      : [],
  );
  it.each(texts)("has $at: '$value' of a project file in force, or says why not", async ({ at, value }) => {
    const cwd = mkdtempSync(join(tmpdir(), "remit-settings-"));
    writeFileSync(join(cwd, "remit.yaml"), JSON.stringify({ [at]: value }));
    const { code, stdout, stderr } = await runInside(["config"], { cwd, env: {} });
    const line = stdout.split("\n").find((one) => one.startsWith(`${at} `)) ?? "";
    if (code === 0) expect(line).toContain("remit.yaml:1");
    else expect(stderr).toMatch(/error\[(.|\n)*remit\.yaml:1/);
  });
});
