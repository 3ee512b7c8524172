import type { Interface } from "../../src/kinds/interface.js";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import type { FaultPlan } from "../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { makeProject, type Project } from "../fakes/project.js";
import { TENANT } from "./worlds.js";

/** A project and its service, for commands that run inside this process. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly project: Project;
  /** Sets what goes wrong from now on. */
  trouble(rules: FaultPlan["rules"]): void;
  run(...argv: readonly string[]): Promise<Seen>;
  close(): Promise<void>;
}

/** What stands before a core service's answer to a create of what is there: it is not documented; here it replaces. */
const REPLACES: FaultPlan["rules"] = [{ fault: "quirks", quirks: { existingAutomation: "replace" } }];

/** Sets a stage; a wait of a second takes 10 ms. */
export async function openStage(spoken: Interface, seed = 1): Promise<Stage> {
  const base = spoken === "core" ? REPLACES : [];
  const sandbox = await startSandbox({
    interface: spoken,
    tenant: TENANT,
    seed,
    faults: { seed, rules: base },
  });
  const project = makeProject({ server: sandbox.url });
  const env = { REMIT_CLIENT_ID: DEFAULT_CLIENT.id, REMIT_CLIENT_SECRET: DEFAULT_CLIENT.secret };
  return {
    sandbox,
    project,
    trouble: (rules) => sandbox.faults.set({ seed, rules: [...rules, ...base] }),
    run: (...argv) => runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) }),
    async close() {
      await sandbox.close();
      project.close();
    },
  };
}

/** Flags by which a story answers for every guard it may trip. */
export const ANSWERS = ["unknown-current", "scope-emptied", "everyone"].flatMap((guard) => [
  "--acknowledge",
  guard,
]);

/** Everything a run printed. */
export function text({ stdout, stderr }: Seen): string {
  return `${stdout}${stderr}`;
}
