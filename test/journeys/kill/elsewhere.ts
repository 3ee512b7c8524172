import type { Interface } from "../../../src/kinds/interface.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import type { Command, Ended } from "../../fakes/command.js";
import { runHasty } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { makeManyGroups } from "../../fakes/manyGroups.js";
import { makeManyProfiles } from "../../fakes/manyProfiles.js";
import { makeProject } from "../../fakes/project.js";
import { seededRandom } from "../../fakes/random.js";
import { auditAsked, auditCreates, auditGroups, auditProfiles, auditTenant } from "./audit.js";
import { auditHistory } from "./auditHistory.js";
import type { OpenPlace } from "./places.js";

/** What became of runs that were killed on machines whose disks were wiped. */
export interface WipedFigures {
  readonly kills: number;
  readonly recoveries: number;
  /** Runs that found the lock held, or lost it. */
  readonly refused: number;
  readonly violations: readonly string[];
}

/** What one trial is made of; the same seed draws the same moments. */
export interface WipedTrial {
  /** A command whose clock is hasty. */
  readonly command: Command;
  readonly place: OpenPlace;
  readonly seed: number;
  readonly interface: Interface;
  readonly size: number;
  readonly kills: number;
  /** Whether the world has groups, whose ids the applies create; objects of the first three kinds otherwise. */
  readonly isOfGroups?: boolean;
  /** Whether it has access profiles instead, each of which takes several calls. */
  readonly isOfProfiles?: boolean;
  /** How many governed apps are among the objects of the first three kinds; none when absent. */
  readonly apps?: number;
}

/** The clock of the runs goes so many times as fast: a lease of two minutes takes little more than a second. */
const HASTE = "100";
const ANSWERS = ["unknown-current", "nobody", "first-run", "wider-defaults"].flatMap((guard) => [
  "--acknowledge",
  guard,
]);
const APPLY = ["apply", "--yes", ...ANSWERS, "--lock-timeout", "600"];
/** So many plain repetitions must be enough. */
const PATIENCE = 6;

/**
 * Applies a world by runs that are killed at a moment after they started or at a write, each on a machine of its own,
 * which is wiped. Then by runs that are not, and looks at what became of it.
 */
export async function wipedTrial(trial: WipedTrial): Promise<WipedFigures> {
  const { command, place, seed, size } = trial;
  const random = seededRandom(seed);
  const isOfGroups = trial.isOfGroups === true;
  const isOfProfiles = trial.isOfProfiles === true;
  const many = isOfProfiles
    ? makeManyProfiles(size)
    : isOfGroups
      ? makeManyGroups(size)
      : makeMany(size, trial.interface, trial.apps);
  let heard = (): void => undefined;
  let writes = 0;
  const sandbox: Sandbox = await startSandbox({
    interface: trial.interface,
    tenant: many.tenant,
    faults: { seed, rules: [{ fault: "latency", method: "POST", between: [20, 60] }] },
    seed,
    log: ({ written }) => {
      if (!written) return;
      writes += 1;
      heard();
    },
  });
  const state = await place.state();
  const env = {
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    // By the hasty clock, in which the service is at work for some seconds.
    REMIT_REQUEST_TIMEOUT: "60s",
    REMIT_CONCURRENCY: "3",
    HASTE,
    ...state,
  };
  /** A run that is not killed needs no process of its own. */
  async function onNewMachine(
    argv: readonly string[],
    kill: ((die: () => void) => void) | null,
  ): Promise<Ended> {
    const project = makeProject({ guards: { maxChangesPercent: 100 } });
    project.write(many.wanted(1));
    try {
      if (kill === null) return { ...(await runHasty(argv, { cwd: project.cwd, env })), signal: null };
      const running = command.start(argv, { cwd: project.cwd, env });
      kill(() => running.process.kill("SIGKILL"));
      return await running.ended;
    } finally {
      heard = () => undefined;
      project.close();
    }
  }
  const afterWrites = (count: number) => (die: () => void) => {
    let seen = 0;
    heard = () => {
      seen += 1;
      if (seen === count) die();
    };
  };
  const afterTime = (milliseconds: number) => (die: () => void) => {
    setTimeout(die, milliseconds);
  };

  let [kills, recoveries, refused] = [0, 0, 0];
  const said: string[] = [];
  let last: Ended | null = null;
  let [started, sent, cut] = [0, 0, 0];
  try {
    for (let run = 0; run < trial.kills * 2 + PATIENCE; run += 1) {
      const isAtWrite = random() < 0.7;
      const moment = isAtWrite
        ? afterWrites(1 + Math.floor(random() * 4))
        : afterTime(300 + random() * 1_500);
      const before = writes;
      started += 1;
      last = await onNewMachine(APPLY, kills < trial.kills ? moment : null);
      said.push(`${last.code ?? last.signal}: ${last.stderr}`);
      if (/apply\/recovered|was cut off|settled|recovered/.test(last.stderr + last.stdout)) recoveries += 1;
      const isKilled = last.signal === "SIGKILL";
      // What a killed run had sent may have come after the time was let pass.
      if (isKilled || last.code === 4) await place.outwait(state);
      if (writes > before) sent += 1;
      if (isKilled) {
        kills += 1;
        if (isAtWrite && writes > before) cut += 1;
        if (!place.takesOver) await onNewMachine(["state", "unlock"], null);
      } else if (last.code === 4) refused += 1;
      else if (kills >= trial.kills || last.code === 0) break;
    }
    const wanted = many.wanted(1);
    const isFull = trial.interface === "full";
    const audit = isOfProfiles ? auditProfiles : auditTenant;
    const found = isFull ? [...audit(wanted, sandbox), ...auditCreates(sandbox)] : auditAsked(sandbox);
    const end = isFull && last?.code !== 0 ? [`it did not end: ${said.slice(-3).join("\n")}`] : [];
    const groups = isOfGroups ? auditGroups(wanted, sandbox) : [];
    const again =
      isOfGroups || isOfProfiles || trial.apps !== undefined
        ? await onNewMachine(["plan", "--detailed-exitcode"], null)
        : null;
    const left =
      again === null || again.code === 0
        ? []
        : [`the next plan is not empty: ${again.stdout}${again.stderr}`];
    const history = await onNewMachine(["history", "--format", "json"], null);
    const gaps = end.length > 0 ? [] : auditHistory(history, { started, sent, cut });
    const all = [...end, ...found, ...groups, ...left, ...gaps];
    const violations = all.map((text) => `seed ${seed}: ${text}`);
    return { kills, recoveries, refused, violations };
  } finally {
    await sandbox.close();
  }
}
