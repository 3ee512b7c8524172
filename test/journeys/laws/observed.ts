import type { Json } from "../../../src/model/json.js";
import type { Entry as Request } from "../../../src/sandbox/log.js";
import type { Entry } from "../../../src/state/snapshot.js";
import type { Seen } from "../../fakes/inside.js";
import { MADE, MADE_NAME, PLACES } from "./places.js";
import { type Round, type Scenario, spokenFor } from "./scenario.js";
import type { Stored } from "./stored.js";
import type { Spec } from "./values.js";

/** What the state says between two runs. */
export interface Memory {
  readonly hasState: boolean;
  /** By address. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The keys of objects that the service showed to exist. */
  readonly existing: ReadonlySet<string>;
  /** The addresses of creates with an unknown result. */
  readonly uncertain: ReadonlySet<string>;
  /** Whether the state is missing and its backup is there. */
  readonly isLost: boolean;
}

/** Everything that can be seen of one run from outside: the tenant and the state around it, and what was sent. */
export interface Observed {
  readonly scenario: Scenario;
  readonly round: Round;
  readonly run: Seen;
  /** The plan that this run applied, where it was saved. */
  readonly planned: Seen | null;
  readonly before: readonly (Stored | null)[];
  readonly after: readonly (Stored | null)[];
  /** How many resource types have the name of the one that the service gives its id. */
  readonly twinsBefore: number;
  readonly twinsAfter: number;
  readonly memoryBefore: Memory;
  readonly memoryAfter: Memory;
  /** The requests of this run, and those of the runs before it. */
  readonly sent: readonly Request[];
  readonly sentBefore: readonly Request[];
  /** Places that another program changed since remit last wrote them. */
  readonly meddled: ReadonlySet<number>;
  /** Whether a create that is carried out late may still be under way. */
  readonly isLatePossible: boolean;
  /**
   * The same project planned again, without faults; its exit code says whether there is anything to do. Null after a run
   * that wrote nothing.
   */
  readonly again: Seen | null;
}

/** Whether the run, or the plan that it applied, says that a part of some object could not be read. */
export function saysUnread({ run, planned }: Pick<Observed, "run" | "planned">): boolean {
  return [run, planned].some((seen) => seen !== null && said(seen).includes("plan/part-unread"));
}

/** Whether remit cannot read the objects of a place. */
export function isBlind({ scenario }: Pick<Observed, "scenario">, number: number): boolean {
  const place = PLACES[number];
  return place !== undefined && spokenFor(scenario, place) === "core";
}

/** The numbers of the places that the run may write to. */
export function selectedIn({ round }: Pick<Observed, "round">): ReadonlySet<number> {
  const chosen = chosenIn(round);
  const all = PLACES.map((_, number) => number);
  const isDecided = round.prune || round.removed === "delete";
  return new Set(chosen ?? all.filter((number) => isDecided || isWanted(round, number)));
}

/** The places that the run's flags select; null where it looks at the whole project. */
export function chosenIn(round: Round): readonly number[] | null {
  const chosen = round.chosen.filter((number) => isWanted(round, number));
  return round.by === "everything" || chosen.length === 0 ? null : chosen;
}

/** Whether a round has a manifest for a place. */
export function isWanted({ wanted }: Round, number: number): boolean {
  return (wanted[number] ?? null) !== null;
}

/** The units that a round's manifest of a place owns, and how the service keeps each. */
export function ownedIn(round: Round, number: number): Readonly<Record<string, Json | undefined>> | null {
  const spec: Spec | null = round.wanted[number] ?? null;
  const place = PLACES[number];
  if (spec === null || place === undefined) return null;
  const own = Object.entries(spec).map(([name, { kept }]) => [name, kept] as const);
  if (place === MADE) return { displayName: MADE_NAME, ...Object.fromEntries(own) };
  if (place.kind !== "EntitlementAutomation") return Object.fromEntries(own);
  const texts = own.filter(([name]) => name === "displayName" || name === "description");
  const condition = own.filter(([name]) => name !== "displayName" && name !== "description");
  return {
    ...Object.fromEntries(texts),
    ...(condition.length === 0 ? {} : { condition: Object.fromEntries(condition) as Json }),
  };
}

/** Everything that a run printed. */
export function said({ stdout, stderr }: Seen): string {
  return `${stdout}${stderr}`.replace(/\s+/g, " ");
}
