import type { BoundedRange, Spread } from "../../plan/people/impact.js";
import { grouped } from "../plan/words/people.js";
import { clipped } from "../text/layout.js";

/** Who gains and who loses access, by one attribute. */
export interface Bars {
  /** `by department`. */
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** Those of one value who gain, or who lose: solid for those who certainly do, and for those who may. */
export interface Bar {
  /** Empty where the bar above it has the same name. */
  readonly name: string;
  readonly as: "gains" | "loses";
  /** Of the longest bar, from 0 to 1. */
  readonly sure: number;
  readonly may: number;
  /** `+102–109`. */
  readonly number: string;
}

/** What the bars of a text show. */
export const BARS_LEGEND = "█ sure, ▒ may";

const LABELS: Readonly<Record<string, string>> = {
  employmentType: "employment type",
  employmentStatus: "employment status",
  jobTitle: "job title",
};

const LONGEST_NAME = 24;

/** The bars of each attribute, the one to read first at the beginning. */
export function barsOf(spread: readonly Spread[]): readonly Bars[] {
  return spread.map(({ attribute, values }) => {
    const most = Math.max(...values.flatMap(({ gains, loses }) => [gains.high, loses.high]), 1);
    return {
      title: `by ${LABELS[attribute] ?? attribute}`,
      bars: values.flatMap(({ value, gains, loses }) =>
        (
          [
            ["gains", gains],
            ["loses", loses],
          ] as const
        )
          .filter(([, { high }]) => high > 0)
          .map(([as, range], at) => ({
            name: at > 0 ? "" : clipped(value ?? "others", LONGEST_NAME),
            as,
            sure: range.low / most,
            may: (range.high - range.low) / most,
            number: signed(as === "gains" ? "+" : "−", range),
          })),
      ),
    };
  });
}

/** A number of people that is added or taken: `+102–109`. */
export function signed(sign: string, { low, high }: BoundedRange): string {
  return low === high ? `${sign}${grouped(low)}` : `${sign}${grouped(low)}–${grouped(high)}`;
}

/** A bar as blocks of text, of which the longest takes so many columns: what is sure, and what may be. */
export function blocksOfBar({ sure, may }: Bar, columns: number): readonly [sure: string, may: string] {
  const all = Math.max(1, Math.round((sure + may) * columns));
  const solid = may === 0 ? all : Math.min(all - 1, Math.round(sure * columns));
  return ["█".repeat(solid), "▒".repeat(all - solid)];
}
