import type { StepReport } from "./report.js";

/** What a step means for people, as its order and its filters name it. */
export type Movement = "loses" | "gains" | "leaves" | "enters";

/** In the order of their weight: who leaves a review keeps access. */
export const MOVEMENTS: readonly Movement[] = ["loses", "gains", "leaves", "enters"];

/** The most people of a step who move so; any number counts as the most. What is deleted with a step counts as lost. */
export function mostOf({ people }: StepReport, movement: Movement): number {
  if (people === null) return 0;
  const count = people.counts[movement];
  if (count !== undefined) return count.high ?? Number.MAX_SAFE_INTEGER;
  const isHeld = people.holdings !== null && movement === "loses";
  return isHeld ? (people.mostLosing ?? Number.MAX_SAFE_INTEGER) : 0;
}

/** Orders steps by people: by whom the most lose access first, then gain it, then leave and enter a review. */
export function byPeople(one: StepReport, other: StepReport): number {
  const [first = 0] = MOVEMENTS.map((name) => mostOf(other, name) - mostOf(one, name)).filter(
    (by) => by !== 0,
  );
  return first;
}
