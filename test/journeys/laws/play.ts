import { guardNames } from "../../../src/plan/guards/guards.js";
import type { Seen } from "../../fakes/inside.js";
import { judgeRun } from "./laws.js";
import { type Counts, openLedger, type Violation } from "./ledger.js";
import { chosenIn, type Memory, type Observed } from "./observed.js";
import { addressOf, PLACES } from "./places.js";
import { isAbout } from "./requests.js";
import type { Round, Scenario } from "./scenario.js";
import { openStage, type Stage } from "./stage.js";
import { storedIn, twinsIn } from "./stored.js";

/** How a scenario ended: each way in which a run broke a law, and what was run and judged. */
export interface Played {
  readonly violations: readonly Violation[];
  readonly judged: Counts;
  readonly runs: readonly Seen[];
  /** The exit codes of the plans that followed the runs. */
  readonly plans: readonly number[];
}

/** Plays a scenario to its end, and checks the laws after each run. */
export async function play(scenario: Scenario): Promise<Played> {
  const stage = await openStage(scenario);
  const ledger = openLedger();
  const runs: Seen[] = [];
  const plans: number[] = [];
  try {
    const meddled = new Set<number>();
    const last = scenario.rounds.at(-1);
    // A last run without faults, so that what a failed run left is decided as well.
    const rounds = last === undefined ? [] : [...scenario.rounds, quiet(last)];
    for (const [place, round] of rounds.entries()) {
      if (place === rounds.length - 1 && runs.at(-1)?.code === 0) break;
      const observed = await live(scenario, round, place + 1, stage, meddled);
      runs.push(observed.run);
      if (observed.again !== null) plans.push(observed.again.code);
      judgeRun(observed, ledger);
    }
    return { violations: ledger.violations, judged: ledger.judged, runs, plans };
  } finally {
    await stage.close();
  }
}

function quiet(round: Round): Round {
  return {
    ...round,
    meddling: {},
    trouble: [],
    answered: true,
    how: "apply",
    prune: false,
    removed: "nothing",
    state: "kept",
  };
}

/** Without a state, remit refuses to decide on what was removed. */
function decidable(round: Round, { hasState }: Memory): Round {
  return hasState ? round : { ...round, prune: false, removed: "nothing" };
}

async function live(
  scenario: Scenario,
  asked: Round,
  at: number,
  stage: Stage,
  meddled: Set<number>,
): Promise<Observed> {
  const { sandbox } = stage;
  stage.loseState(asked.state);
  const memoryBefore = stage.memory();
  const round = decidable(asked, memoryBefore);
  stage.meddle(round);
  for (const number of Object.keys(round.meddling)) meddled.add(Number(number));
  stage.write(round);
  stage.trouble(round.trouble);
  const [before, twinsBefore] = [storedIn(sandbox), twinsIn(sandbox)];
  const sentBefore = sandbox.log.entries();
  const { run, planned } = await apply(round, stage);
  const sent = sandbox.log.entries({ after: sentBefore.at(-1)?.sequence ?? 0 });
  const [after, twinsAfter] = [storedIn(sandbox), twinsIn(sandbox)];
  const memoryAfter = stage.memory();
  for (const [number, place] of PLACES.entries()) {
    if (sent.some((entry) => entry.written && isAbout(entry, place))) meddled.delete(number);
  }
  stage.trouble([]);
  const isOver = run.code === 0 || run.code === 3;
  const again = isOver ? await stage.run("plan", "--detailed-exitcode", ...flagsOf(round)) : null;
  return {
    scenario,
    round,
    run,
    planned,
    before,
    after,
    twinsBefore,
    twinsAfter,
    memoryBefore,
    memoryAfter,
    sent,
    sentBefore,
    meddled: new Set(meddled),
    isLatePossible: scenario.rounds
      .slice(0, at)
      .some(({ trouble }) => trouble.some(({ fault }) => fault === "late")),
    again,
  };
}

async function apply(round: Round, stage: Stage): Promise<Pick<Observed, "run" | "planned">> {
  const flags = flagsOf(round);
  if (round.how === "apply") return { run: await stage.run("apply", "--yes", ...flags), planned: null };
  const planned = await stage.run("plan", "--out", "plan.json", ...flags);
  if (planned.code !== 0) return { run: planned, planned: null };
  const answers = flags.filter(
    (_, place) => flags[place] === "--acknowledge" || flags[place - 1] === "--acknowledge",
  );
  return { run: await stage.run("apply", "--yes", "plan.json", ...answers), planned };
}

/** The flags of a round: its selection, and every answer but that for what was not seen. */
function flagsOf(round: Round): readonly string[] {
  const { by, prune, answered } = round;
  const places = chosenIn(round)?.flatMap((number) => PLACES[number] ?? []) ?? null;
  const selection =
    places === null
      ? []
      : {
          everything: [],
          file: places.map(({ name }) => `manifests/${name}.yaml`),
          target: places.flatMap((place) => ["--target", addressOf(place)]),
          label: ["-l", "pick=yes"],
        }[by];
  const guards = guardNames.filter((name) => answered || name !== "unknown-current");
  return [...selection, ...(prune ? ["--prune"] : []), ...guards.flatMap((name) => ["--acknowledge", name])];
}
