import type { Sandbox } from "../../../src/sandbox/http/server.js";
import type { Ended } from "../../fakes/command.js";
import type { Project } from "../../fakes/project.js";
import type { Phase } from "./phase.js";

/** What a trial came to. */
export interface Figures {
  /** Runs that were killed, by what they were doing. */
  readonly kills: Readonly<Record<Phase, number>>;
  /** Runs that ended by themselves, by exit code. */
  readonly codes: Readonly<Record<number, number>>;
  /** Runs that reported what an earlier one had left. */
  readonly recoveries: number;
  /** Creates that the service carried out. */
  readonly creates: number;
  /** On `core`: creates that stayed uncertain, as they must. */
  readonly uncertain: number;
  /** What should never be, each with what leads back to it. */
  readonly violations: readonly string[];
}

/** Counts what the runs of one trial come to. */
export function makeTally(name: string) {
  const kills = { ...NONE.kills };
  const codes: Record<number, number> = {};
  const violations: string[] = [];
  let recoveries = 0;
  const hear = ({ stdout, stderr }: Ended) => {
    if (/apply\/recovered/.test(stdout + stderr)) recoveries += 1;
  };
  return {
    killed(phase: Phase, ended: Ended): void {
      kills[phase] += 1;
      hear(ended);
    },
    ended(ended: Ended, where: string): void {
      const { code, signal, stdout, stderr } = ended;
      if (code !== null) codes[code] = (codes[code] ?? 0) + 1;
      hear(ended);
      if (code !== 0 && code !== 1 && code !== 3)
        violations.push(
          `${name}, ${where}: ended with ${code ?? signal}: ${stdout.slice(-400)}${stderr.slice(-800)}`,
        );
    },
    violated(where: string, found: readonly string[]): void {
      violations.push(...found.map((text) => `${name}, ${where}: ${text}`));
    },
    figures: ({ log }: Sandbox, project: Project): Figures => ({
      kills,
      codes,
      recoveries,
      creates: log.creates().reduce((sum, { done }) => sum + done, 0),
      uncertain: Object.keys(project.state()?.uncertain ?? {}).length,
      violations,
    }),
  };
}

/** The figures of several trials, taken together. */
export function add(one: Figures, other: Figures): Figures {
  return {
    kills: addCounts(one.kills, other.kills),
    codes: addCounts(one.codes, other.codes),
    recoveries: one.recoveries + other.recoveries,
    creates: one.creates + other.creates,
    uncertain: one.uncertain + other.uncertain,
    violations: [...one.violations, ...other.violations],
  };
}

/** Nothing was killed yet. */
export const NONE: Figures = {
  kills: { starting: 0, recovering: 0, planning: 0, writing: 0, keeping: 0, over: 0 },
  codes: {},
  recoveries: 0,
  creates: 0,
  uncertain: 0,
  violations: [],
};

/** How many runs were killed. */
export function killed({ kills }: Pick<Figures, "kills">): number {
  return Object.values(kills).reduce((sum, count) => sum + count, 0);
}

function addCounts<Name extends string | number>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as Name[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)])) as Record<
    Name,
    number
  >;
}
