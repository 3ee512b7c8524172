import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Interface } from "../../src/kinds/interface.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { cases } from "../fakes/cases.js";
import { runHasty, type Seen } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant, nameOf } from "./kill/audit.js";

/** The first run over a new state file dies somewhere, and some command comes next: whatever it is, an apply ends the work. */

const ANSWERS = ["unknown-current", "nobody"].flatMap((guard) => ["--acknowledge", guard]);
const APPLY = ["apply", "--yes", ...ANSWERS];
const MOVED = "moved.state.json";
const KEY = Buffer.alloc(32, 7).toString("base64");

/** Every command that reads or writes a state, and the ids of an object that it may name. */
const COMMANDS: readonly (readonly string[])[] = [
  ["plan"],
  APPLY,
  ["import"],
  ["accept", "--all-drift", "--yes"],
  ["accept", "--restore", "EntitlementAutomation/members-0", "--yes"],
  ["get", "EntitlementAutomation/members-0"],
  ["history"],
  ["doctor"],
  ["state", "list"],
  ["state", "stores"],
  ["state", "show", "EntitlementAutomation/members-0"],
  ["state", "forget", "ResourceType/type-0"],
  ["state", "unlock"],
  ["state", "unlock", "--set-aside"],
  ["state", "settle", "EntitlementAutomation/members-0", "--key", "app/entitlement"],
  ["state", "move", MOVED],
  ["state", "rescue", "none.json"],
  ["state", "encrypt"],
  ["state", "compact"],
];

/** Where a run dies: at a write of that number, which the service has done or never got. */
interface Death {
  readonly on: Interface;
  readonly write: number;
  readonly isDone: boolean;
  /** Whether the last line of the journal is only half there. */
  readonly isCut: boolean;
  /** Whether a person has removed the lock before the command. */
  readonly isUnlocked: boolean;
}

const death = fc.record<Death>({
  on: fc.constantFrom("full", "core"),
  write: fc.integer({ min: 1, max: 6 }),
  isDone: fc.boolean(),
  isCut: fc.boolean(),
  isUnlocked: fc.boolean(),
});

it("a first run that dies anywhere leaves a state file that every command can say something of, and an apply ends", async () => {
  await fc.assert(
    fc.asyncProperty(death, fc.constantFrom(...COMMANDS), async (at, command) => {
      const { next, ending, faults } = await lifeAfter(at, command);
      expect(
        faults,
        `${faults.join("\n")}\n${next.stdout}${next.stderr}\n${ending.stdout}${ending.stderr}`,
      ).toEqual([]);
    }),
    { seed: 44, numRuns: cases(6, 12) },
  );
}, 900_000);

async function lifeAfter({ on, write, isDone, isCut, isUnlocked }: Death, command: readonly string[]) {
  const many = makeMany(6, on);
  const RESET = { seed: 1, rules: [{ fault: "reset", method: "POST" }] } as const;
  const project = makeProject({ guards: { maxChangesPercent: 100 } });
  const kept = mkdtempSync(join(tmpdir(), "remit-kept-"));
  const [folder, copy] = [join(project.cwd, ".remit"), join(kept, "copy")];
  let writes = 0;
  const sandbox = await startSandbox({
    interface: on,
    tenant: many.tenant,
    seed: 1,
    log({ operation }) {
      if (!/^(Create|Update|Set)/.test(operation ?? "") || existsSync(copy)) return;
      writes += 1;
      if (writes < write - (isDone ? 0 : 1)) return;
      sandbox.faults.set(RESET);
      if (writes === write) cpSync(folder, copy, { recursive: true });
    },
  });
  if (write === 1 && !isDone) sandbox.faults.set(RESET);
  let env: Record<string, string> = {
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    REMIT_CONCURRENCY: "2",
    ...{ REMIT_REQUEST_TIMEOUT: "1s", REMIT_CREATE_LAG: "1s" },
    ...{ XDG_STATE_HOME: kept, HASTE: "1000" },
  };
  const run = (argv: readonly string[]): Promise<Seen> => runHasty(argv, { cwd: project.cwd, env });
  try {
    project.write(many.wanted(1));
    await run(APPLY);
    if (existsSync(copy)) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
    }
    sandbox.faults.set({ seed: 1, rules: [] });
    const journal = join(folder, "state.json.journal");
    if (isCut && existsSync(journal)) writeFileSync(journal, readFileSync(journal).subarray(0, -10));
    if (isUnlocked) await run(["state", "unlock"]);

    if (command[1] === "encrypt") env = { ...env, REMIT_STATE_KEY: KEY };
    const next = await run(command);
    const isSaid =
      next.code === 0 ||
      command[0] === "doctor" ||
      /error\[[\w/-]+\]|^Guards: nothing/m.test(next.stdout + next.stderr);
    if (command[1] === "encrypt" && next.code !== 0) delete env.REMIT_STATE_KEY;
    if (command[1] === "move" && next.code === 0) env = { ...env, REMIT_STATE: MOVED };

    await run(["state", "unlock"]);
    const first = await run(APPLY);
    if (first.stderr.includes("remit state unlock --set-aside"))
      await run(["state", "unlock", "--set-aside"]);
    const ending = await run(APPLY);
    const wanted = many.wanted(1);
    const { objects } = JSON.parse((await run(["state", "list", "--format", "json"])).stdout);
    const known: readonly string[] = objects.map(({ address }: { readonly address: string }) => address);
    const unknown = wanted.map(nameOf).filter((name) => !known.includes(name));
    const faults = [
      ...(isSaid ? [] : [`${command.join(" ")} ends with ${next.code} and no diagnostic`]),
      ...(next.code === 70 || next.stderr.includes("internal") ? ["an internal error"] : []),
      ...(on === "full" && ending.code !== 0 ? [`the last apply ends with ${ending.code}`] : []),
      ...(on === "full" ? auditTenant(wanted, sandbox) : []),
      ...(on === "full" ? unknown.map((name) => `the state does not know ${name}`) : []),
      ...auditCreates(sandbox),
    ];
    return { next, ending, faults };
  } finally {
    await sandbox.close();
    project.close();
    rmSync(kept, { recursive: true, force: true });
  }
}
