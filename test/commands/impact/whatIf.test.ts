import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { runInside } from "../../fakes/inside.js";

it("a rule that the service does not show may be there", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "remit-what-if-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  cpSync("test/golden/larkspur", cwd, { recursive: true });
  const { tenant } = readSeed(readFileSync(join(cwd, "seed.yaml"), "utf8"), "seed.yaml");
  const [app] = tenant.apps;
  const entitlement = tenant.entitlements.find(({ appId }) => appId === app?.id);
  const settings = {
    server: "sandbox",
    sandbox: { seed: "seed.yaml", interface: "core" },
    apps: { Known: app?.id },
  };
  writeFileSync(
    join(cwd, "remit.yaml"),
    JSON.stringify({ ...settings, interface: "core", manifests: ["manifests"] }),
  );
  const on = `Known/${entitlement?.id}`;
  const argv = ["impact", "--rule", 'subject.department == "Tax"', "--on", on];
  const { code, stdout, stderr } = await runInside(argv, { cwd, env: { HOME: cwd } });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("error[service/not-offered]");
});
