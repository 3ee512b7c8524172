import fc from "fast-check";
import { type Counts, LAWS, type Law, type Violation } from "./ledger.js";
import { play } from "./play.js";
import { type Scenario, scenarios } from "./scenario.js";

/** One way in which scenarios broke a law, with the seeds that show it. */
export interface Cause {
  readonly law: Law;
  readonly cause: string;
  readonly seeds: readonly number[];
  readonly detail: string;
}

/** What a campaign found out. */
export interface Findings {
  readonly played: number;
  /** Runs by exit code, and the plans after them. */
  readonly codes: ReadonlyMap<number, number>;
  readonly plans: ReadonlyMap<number, number>;
  /** By the interface that was asked for: scenarios, and how often each law had something to judge. */
  readonly interfaces: ReadonlyMap<string, { readonly played: number; readonly judged: Counts }>;
  readonly causes: readonly Cause[];
}

/** The scenario of a seed; the same seed always gives the same one. */
export function scenarioOf(seed: number): Scenario {
  const [scenario] = fc.sample(scenarios, { seed, numRuns: 1 });
  if (scenario === undefined) throw new Error("a seed gives a scenario");
  return scenario;
}

/** Plays one scenario for each seed. */
export async function campaign(
  seeds: readonly number[],
  heard: (played: number, causes: number) => void = () => undefined,
): Promise<Findings> {
  const codes = new Map<number, number>();
  const plans = new Map<number, number>();
  const interfaces = new Map<string, { played: number; judged: Counts }>();
  const causes = new Map<string, Cause>();
  for (const [place, seed] of seeds.entries()) {
    const scenario = scenarioOf(seed);
    const { runs, plans: followed, judged, violations } = await play(scenario);
    for (const { code } of runs) codes.set(code, (codes.get(code) ?? 0) + 1);
    for (const code of followed) plans.set(code, (plans.get(code) ?? 0) + 1);
    const name = interfaceName(scenario);
    const before = interfaces.get(name) ?? { played: 0, judged: NONE };
    interfaces.set(name, { played: before.played + 1, judged: sum(before.judged, judged) });
    for (const violation of violations) note(causes, violation, seed);
    heard(place + 1, causes.size);
  }
  const all = [...causes.values()].sort((one, other) => other.seeds.length - one.seeds.length);
  return { played: seeds.length, codes, plans, interfaces, causes: all };
}

const NONE: Counts = { a: 0, b: 0, c: 0, d: 0, e: 0 };

function sum(one: Counts, other: Counts): Counts {
  const laws = Object.keys(LAWS) as readonly Law[];
  return Object.fromEntries(laws.map((law) => [law, one[law] + other[law]])) as Counts;
}

function interfaceName({ served, asked }: Scenario): string {
  if (typeof asked !== "string") return "per kind";
  return asked === served ? asked : `${asked} on ${served}`;
}

function note(causes: Map<string, Cause>, { law, cause, detail }: Violation, seed: number): void {
  const name = `${law} ${cause}`;
  const known = causes.get(name);
  if (known === undefined) causes.set(name, { law, cause, detail, seeds: [seed] });
  else if (!known.seeds.includes(seed)) causes.set(name, { ...known, seeds: [...known.seeds, seed] });
}

/** The smallest scenario that still breaks a law in that way, and what is seen in it. */
export async function shrink(
  seed: number,
  cause: string,
): Promise<{ readonly scenario: Scenario; readonly violations: readonly Violation[] }> {
  const breaks = async (scenario: Scenario) =>
    (await play(scenario)).violations.some((violation) => violation.cause === cause);
  const property = fc.asyncProperty(scenarios, async (scenario) => !(await breaks(scenario)));
  const details = await fc.check(property, { seed, numRuns: 1 });
  const scenario = details.counterexample?.[0] ?? scenarioOf(seed);
  return { scenario, violations: (await play(scenario)).violations };
}
