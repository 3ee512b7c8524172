import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Interface } from "../../../src/kinds/interface.js";
import { type FaultPlan, NO_FAULTS } from "../../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import type { Command } from "../../fakes/command.js";
import { runInside } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { type Manifest, makeProject, type Project } from "../../fakes/project.js";
import { seededRandom } from "../../fakes/random.js";
import { auditAsked, auditCreates, auditState, auditTenant, isThere, nameOf } from "./audit.js";
import { drawMoment, FIRST, killAt, type Moment, type Service } from "./moment.js";
import { phaseOf, standing } from "./phase.js";
import { type Figures, makeTally } from "./tally.js";

/** What a trial is made of; the same seed draws the same worlds, faults and moments. */
export interface TrialOptions {
  readonly command: Command;
  readonly seed: number;
  readonly interface: Interface;
  readonly pace: Pace;
  /** How many governed apps are among its resources; none when absent. */
  readonly apps?: number;
  /** How many resources the last round has. */
  readonly size: number;
  /** Asked before each kill; once it is no, runs come to their end. */
  readonly mayKill: () => boolean;
  /** Called for each kill. */
  readonly killed: () => void;
}

/** How fast the service is. */
export type Pace = "swift" | "slow";

/** Counts the writes to apps that come in; searches are POST calls, too. */
const COUNTER: FaultPlan["rules"] = [
  { fault: "latency", milliseconds: 0, method: "POST", path: "/api/v1/apps/*" },
];

/**
 * How long it thinks about a write, which is carried out at the end of that, and about a read. What a slow service
 * creates under a new id often appears after the run that asked has ended and the next has started. Only then can a
 * create happen twice.
 */
const LATENCY: Readonly<Record<Pace, FaultPlan["rules"]>> = {
  swift: [
    { fault: "latency", method: "POST", between: [1, 8] },
    { fault: "latency", method: "GET", between: [1, 8] },
  ],
  slow: [
    { fault: "latency", method: "POST", between: [20, 400] },
    { fault: "latency", operation: "CreateResourceType", between: [200, 1_200] },
    { fault: "latency", method: "GET", between: [2, 40] },
  ],
};

/** How long a reply is waited for; a killed run's creates are waited for as long. */
const TIMEOUT = { swift: "1s", slow: "2s" } as const;

/** One call in ten or so meets a fault; half of them leave a write done. */
const FAULTS: FaultPlan["rules"] = [
  { fault: "throttle", probability: 0.01 },
  { fault: "throttle", retryAfter: 0, probability: 0.01 },
  { fault: "error", status: 503, probability: 0.01 },
  { fault: "error", status: 504, written: true, probability: 0.01 },
  { fault: "error", status: 500, probability: 0.01 },
  { fault: "error", status: 500, written: true, probability: 0.01 },
  { fault: "reset", probability: 0.01 },
  { fault: "lost", probability: 0.02 },
  { fault: "truncated", probability: 0.01 },
  { fault: "html", probability: 0.005 },
];

const ROUNDS = [1, 2, 3];
const KILLS = 16;
/** Faults let runs end in part; so many plain repetitions must be enough. */
const PATIENCE = 15;
// An app whose create stopped before its parts were written asks once.
const APPLY = [
  "apply",
  "--yes",
  ...["unknown-current", "wider-defaults"].flatMap((name) => ["--acknowledge", name]),
];

/** Applies worlds in turn by runs that are killed, then by runs that are not, and looks at what became of it. */
export async function trial(options: TrialOptions): Promise<Figures> {
  const { seed, command, size, mayKill } = options;
  const random = seededRandom(seed);
  const many = makeMany(size, options.interface, options.apps);
  const plan = { seed, rules: [...COUNTER, ...LATENCY[options.pace], ...FAULTS] };
  const sandbox = await startSandbox({
    interface: options.interface,
    tenant: many.tenant,
    faults: plan,
    seed,
    log: ({ written }) => service.replied(written),
  });
  const service: Service = {
    replied: () => undefined,
    arrivals: () => sandbox.faults.strikes[0] ?? 0,
  };
  const project = makeProject({ server: sandbox.url, guards: { maxChangesPercent: 100 } });
  mkdirSync(join(project.cwd, ".remit"), { mode: 0o700 });
  const env = {
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    REMIT_REQUEST_TIMEOUT: TIMEOUT[options.pace],
  };
  const surroundings = { cwd: project.cwd, env };
  /** A run that is not killed needs no process of its own. */
  const runToItsEnd = async () => ({ ...(await runInside(APPLY, surroundings)), signal: null });
  const runUntil = (moment: Moment) => {
    const running = command.start(APPLY, surroundings);
    killAt(moment, running, project.cwd, service);
    return running.ended;
  };
  const tally = makeTally(`seed ${seed}, ${options.pace} on ${options.interface}, of ${size}`);
  try {
    for (const round of ROUNDS) {
      const wanted = many.wanted(round);
      project.write(wanted);
      sandbox.faults.set({ ...plan, seed: seed + round });
      for (let run = 0; run < KILLS + PATIENCE; run += 1) {
        const before = standing(project, sandbox);
        const [first, drawn] = [round === 1 ? FIRST[run] : undefined, drawMoment(random, size)];
        const moment = run < KILLS && mayKill() ? (first ?? drawn) : null;
        const ended = await (moment === null ? runToItsEnd() : runUntil(moment));
        const after = standing(project, sandbox);
        if (ended.signal === "SIGKILL") {
          tally.killed(phaseOf(before, after), ended);
          options.killed();
        } else tally.ended(ended, `round ${round}, ${JSON.stringify(moment)}`);
        if (ended.code === 0 || (ended.code !== null && isAtRest(wanted, project, before.serial))) break;
      }
      sandbox.faults.set(NO_FAULTS);
      tally.violated(`round ${round}`, await audit(wanted, project, sandbox, options.interface));
    }
    return tally.figures(sandbox, project);
  } finally {
    await sandbox.close();
    project.close();
  }
}

/** On `core`: everything is done but what stays uncertain, and doing it again changes nothing. */
function isAtRest(wanted: readonly Manifest[], project: Project, serial: number): boolean {
  const state = project.state();
  const [known, unknown] = [state?.entries ?? {}, state?.uncertain ?? {}].map(
    (all) => Object.keys(all).length,
  );
  // A run that a fault ended early changes nothing either: then something is left that has to be written again.
  const isOpen = Object.values(state?.entries ?? {}).some((entry) => (entry.unknown ?? []).length > 0);
  const isSame = state?.serial === serial && !isOpen;
  return isSame && unknown !== 0 && Number(known) + Number(unknown) === wanted.length;
}

async function audit(
  wanted: readonly Manifest[],
  project: Project,
  sandbox: Sandbox,
  spoken: Interface,
): Promise<readonly string[]> {
  const uncertain = Object.values(project.state()?.uncertain ?? {}).map(
    ({ address }) => `${address.kind}/${address.name}`,
  );
  const certain = wanted.filter((manifest) => !uncertain.includes(nameOf(manifest)));
  const unclear = wanted.filter((manifest) => !certain.includes(manifest));
  const { code, stdout, stderr } = await runInside(["plan", "--detailed-exitcode"], {
    cwd: project.cwd,
    env: { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_REQUEST_TIMEOUT: "2s" },
  });
  // An uncertain create blocks its step, and a plan with a blocked step exits 4.
  const calm = uncertain.length === 0 ? 0 : 4;
  const told = `${stdout}${stderr}`.replace(/[\s│]+/g, " ");
  return [
    ...auditTenant(certain, sandbox),
    ...auditTenant(
      unclear.filter((manifest) => isThere(manifest, sandbox)),
      sandbox,
    ),
    ...auditCreates(sandbox),
    ...auditState(wanted, project),
    ...(spoken === "core" ? auditAsked(sandbox) : uncertain.map((name) => `${name} is uncertain`)),
    ...uncertain
      .filter((name) => !told.includes(`remit state forget ${name}`))
      .map((name) => `${name} is left without a word: ${told}`),
    ...(code === calm ? [] : [`a plan ends with ${code}: ${stdout.slice(-600)}${stderr.slice(-600)}`]),
  ];
}
