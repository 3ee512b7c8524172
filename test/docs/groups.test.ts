import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { seedFrom } from "../../src/cli/open/sandboxInput.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { sleepersClock } from "../fakes/clock.js";
import { bundleCommand, type Ended } from "../fakes/command.js";
import { runInside } from "../fakes/inside.js";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = join(ROOT, "docs", "groups.md");
const SHOWN = "http://127.0.0.1:8700";

const GROUP = `apiVersion: remit/v1
kind: Resource
metadata: { name: cardiology }
spec:
  appId: { name: C1 }
  appResourceTypeId: { name: Group }
  displayName: Cardiology
---
apiVersion: remit/v1
kind: Entitlement
metadata: { name: cardiology-member }
spec:
  appId: { name: C1 }
  appResourceTypeId: { name: Group }
  appResourceId: { manifest: cardiology }
  displayName: Cardiology Member
  alias: cardiology-member
---
apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: cardiology }
spec:
  appId: { name: C1 }
  appEntitlementId: { manifest: cardiology-member }
  cel: { expression: subject.department == "Cardiology" }
`;

/** A new tenant with the people of examples/groups, and a project that has nothing but the file of the group. */
async function openWalk() {
  const tenant = seedFrom("seed.yaml", join(ROOT, "examples", "groups"));
  const sandbox = await startSandbox({ tenant: tenant.tenant });
  const cwd = mkdtempSync(join(tmpdir(), "remit-walk-"));
  const command = await bundleCommand();
  onTestFinished(async () => {
    await sandbox.close();
    command.close();
    rmSync(cwd, { recursive: true });
  });
  mkdirSync(join(cwd, "manifests"));
  writeFileSync(join(cwd, "remit.yaml"), `server: ${sandbox.url}\nmanifests: [manifests]\n`);
  writeFileSync(join(cwd, "manifests", "cardiology.yaml"), GROUP);
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, HOME: cwd };
  // How long a run takes is left out, and so is what only a slow one says. The ids are new in each
  // tenant, and how much of the killed run is in the state depends on its pace.
  const shown = (text: string) =>
    text
      .replaceAll(sandbox.url, SHOWN)
      .replaceAll(/^(Calls: .*?)(?:,| in) [^,\n]* s$/gm, "$1")
      .replaceAll(/^Reading .*\n/gm, "")
      .replaceAll(/\(0\w{3}…\w{2}\)/g, "(0Qm1…x4)")
      .replaceAll(/^note\[apply\/recovered\].*\n +=.*\n\n?/gm, "")
      .replaceAll(/^\d+ notes?$\n?/gm, "")
      .trimEnd();
  const section = (line: string, { stdout, stderr, code, signal }: Ended) =>
    [`$ remit ${line}`, shown(stdout + stderr), code === null ? `# ${signal}` : `# exit ${code}`, ""]
      .filter((one, at) => one !== "" || at === 3)
      .join("\n");
  return {
    sandbox,
    async remit(line: string): Promise<string> {
      const seen = await runInside(line.split(" "), { cwd, env, clock: sleepersClock(50) });
      return section(line, { ...seen, signal: null });
    },
    /** Kills the command while it waits to repeat the first call of an operation. */
    async kill(line: string, operation: string): Promise<string> {
      const busy = { fault: "error", status: 503, retryAfter: 60, operation } as const;
      sandbox.faults.set({ seed: 1, rules: [busy] });
      const running = command.start(line.split(" "), { cwd, env });
      while (sandbox.log.count({ operation }) === 0) await pause(20);
      running.process.kill("SIGKILL");
      sandbox.faults.set({ seed: 1, rules: [] });
      return section(line, await running.ended);
    },
    /** How many objects the tenant has, of each kind of a group. */
    made: () => ({
      resources: sandbox.store.resources.all().length,
      entitlements: sandbox.store.entitlements.all().filter((one) => one.isManuallyManaged === true).length,
      automations: sandbox.store.automations.all().length,
    }),
  };
}

const ONCE = { resources: 1, entitlements: 1, automations: 1 };

it("docs/groups.md shows a new group by real runs; UPDATE=1 writes them", async () => {
  const whole = await openWalk();
  const first = [await whole.remit("plan"), await whole.remit("apply --yes -q")];
  first.push(await whole.remit("plan"));
  expect(whole.made()).toEqual(ONCE);
  const killed = await openWalk();
  const second = [await killed.kill("apply --yes -q", "GetAutomation")];
  expect(killed.made()).toEqual({ ...ONCE, automations: 0 });
  for (const line of ["plan", "apply --yes -q", "plan"]) second.push(await killed.remit(line));
  expect(killed.made()).toEqual(ONCE);

  const [intro = ""] = readFileSync(FILE, "utf8").split("\n## ");
  const block = (kind: string, text: string) => `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\`\n`;
  const text = [
    `${intro.trimEnd()}\n`,
    "## The file\n",
    block("yaml", GROUP),
    "## From the file to nothing to do\n",
    block("console", first.join("\n")),
    "An id that does not exist yet is shown as `‹id of Resource/cardiology›`. The lines with `after` say what is made first.\n",
    "## The same with a kill after the second call\n",
    "The resource and its entitlement are made. The process is killed before it sends the rule, and says nothing more.\n",
    block("console", second.join("\n")),
    "The second run finds by the state what the first one made. Only the rule is left, and nothing is made twice.\n",
  ].join("\n");
  if (process.env.UPDATE === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
  expect(first.at(-1)).toContain("Nothing to do");
  expect(second.at(-1)).toContain("Nothing to do");
});
