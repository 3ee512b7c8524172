import { setTimeout as pause } from "node:timers/promises";
import type { Interface } from "../../src/kinds/interface.js";
import type { JsonObject } from "../../src/model/json.js";
import type { FaultPlan } from "../../src/sandbox/faults/plan.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/http/server.js";
import type { Command, Ended, Running, Surroundings } from "./command.js";
import { runInside, type Seen } from "./inside.js";
import { type Many, makeMany } from "./many.js";
import { makeProject, type Project } from "./project.js";

/** What a scene is set up with; every field has a default. */
export interface SceneOptions {
  readonly interface?: Interface;
  /** How many resources the last round has. */
  readonly size?: number;
  /** How long the service thinks about each request. */
  readonly latency?: number;
  readonly sandbox?: SandboxOptions;
  readonly settings?: JsonObject;
  /** The environment of runs; the sandbox's token when absent. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A project, its service and the command: what is needed to let a run meet with something. */
export interface Scene {
  readonly many: Many;
  readonly project: Project;
  readonly sandbox: Sandbox;
  /** Writes the manifests of a round and starts an apply. */
  start(round: number, more?: Partial<Surroundings>): Running;
  /** The same, to its end. */
  apply(round: number, more?: Partial<Surroundings>): Promise<Ended>;
  /** The same inside this process, which starts no other: where it matters what a run meets with, and not that it is a process. */
  applyInside(round: number): Promise<Seen>;
  /** Resolves when so many writes have been carried out. */
  written(count: number): Promise<void>;
  /** Resolves when the service thinks about so many requests. */
  underWay(count: number): Promise<void>;
  /** Lets the service answer at once from now on. */
  hurry(): void;
  close(): Promise<void>;
}

const ARGUMENTS = ["apply", "--yes", "--acknowledge", "unknown-current"];

/** Sets a scene. */
export async function openScene(command: Command, options: SceneOptions = {}): Promise<Scene> {
  const { size = 60, latency = 40 } = options;
  const spoken = options.interface ?? "full";
  const many = makeMany(size, spoken);
  const faults: FaultPlan = { seed: 1, rules: [{ fault: "latency", milliseconds: latency }] };
  const sandbox = await startSandbox({ interface: spoken, tenant: many.tenant, faults, ...options.sandbox });
  const project = makeProject({
    server: sandbox.url,
    concurrency: 4,
    guards: { maxChangesPercent: 100 },
    ...options.settings,
  });
  const env = { REMIT_SERVER: sandbox.url, ...(options.env ?? { REMIT_TOKEN: sandbox.token }) };

  function start(round: number, more: Partial<Surroundings> = {}): Running {
    project.write(many.wanted(round));
    return command.start(ARGUMENTS, { cwd: project.cwd, ...more, env: { ...env, ...more.env } });
  }

  return {
    many,
    project,
    sandbox,
    start,
    apply: (round, more) => start(round, more).ended,
    applyInside(round) {
      project.write(many.wanted(round));
      return runInside(ARGUMENTS, { cwd: project.cwd, env });
    },
    async written(count) {
      while (sandbox.log.count({ written: true }) < count) await pause(2);
    },
    async underWay(count) {
      // Latency is the first fault, and strikes whatever comes in.
      while ((sandbox.faults.strikes[0] ?? 0) - sandbox.log.count() < count) await pause(2);
    },
    hurry: () => sandbox.faults.set({ seed: 1, rules: [] }),
    async close() {
      await sandbox.close();
      project.close();
    },
  };
}
