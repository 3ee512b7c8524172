import fc from "fast-check";
import type { Interface } from "../../../src/kinds/interface.js";
import type { Quirks } from "../../../src/sandbox/exchange.js";
import type { Rule } from "../../../src/sandbox/faults/plan.js";
import { type Contents, contentsOf } from "./contents.js";
import { MADE, PLACES } from "./places.js";
import { type Spec, specOf } from "./values.js";

/** What happens to one object between two runs, by the number of its place. */
export type Meddling = Readonly<Record<number, Contents | null>>;

/** One run of remit, and what comes before it. */
export interface Round {
  /** What the project says of each place; null where it has no manifest. */
  readonly wanted: readonly (Spec | null)[];
  /** What another program writes or deletes in the tenant before the run. */
  readonly meddling: Meddling;
  readonly how: "apply" | "saved";
  readonly by: "everything" | "file" | "target" | "label";
  /** The places that a selection names. */
  readonly chosen: readonly number[];
  readonly prune: boolean;
  /** Whether the operator answers `unknown-current`. */
  readonly answered: boolean;
  /** What became of the state since the last run. */
  readonly state: "kept" | "deleted" | "lost with its backup";
  readonly trouble: readonly Rule[];
}

/** A tenant and what is done with it, as plain data: printed, it can be run again. */
export interface Scenario {
  readonly interface: Interface;
  readonly asked: Interface | "auto";
  readonly later: boolean;
  readonly quirks: Quirks;
  /** What the tenant contains at the start; null where there is nothing. */
  readonly tenant: readonly (Contents | null)[];
  readonly rounds: readonly Round[];
}

const READS = [
  "GetScopeAndEntitlements",
  "GetAutomation",
  "ListEntitlements",
  "ListApps",
  "ListResourceTypes",
];
const WRITES = [
  "SetScopeAndEntitlements",
  "CreateAutomation",
  "UpdateAutomation",
  "DeleteAutomation",
  "UpdateResourceType",
  "CreateResourceType",
];

const times = fc.constantFrom({ times: 1 }, { times: 2 }, {});
const read = fc.constantFrom(...READS).map((operation) => ({ operation }));
const write = fc.constantFrom(...WRITES).map((operation) => ({ operation }));
const create = fc.constantFrom("CreateAutomation", "CreateResourceType").map((operation) => ({ operation }));

/** A read that fails, in each way that the issue names. */
const failedRead = fc
  .tuple(
    read,
    times,
    fc.constantFrom<Rule>(
      { fault: "error", status: 401 },
      { fault: "error", status: 403 },
      { fault: "error", status: 404 },
      { fault: "error", status: 500 },
      { fault: "error", status: 503 },
      { fault: "html" },
      { fault: "html", status: 404 },
      { fault: "empty" },
      { fault: "reset" },
      { fault: "truncated" },
    ),
  )
  .map(([aim, often, rule]): Rule => ({ ...rule, ...aim, ...often }));

/** A write whose reply is lost, or which never arrives. */
const lostWrite = fc
  .tuple(
    write,
    times,
    fc.constantFrom<Rule>(
      { fault: "lost" },
      { fault: "reset" },
      { fault: "truncated" },
      { fault: "empty" },
      { fault: "html" },
      { fault: "error", status: 408, written: true },
      { fault: "error", status: 409, written: true },
      { fault: "error", status: 499, written: true },
      { fault: "error", status: 500, written: true },
      { fault: "error", status: 500 },
      { fault: "error", status: 503, written: true },
      { fault: "error", status: 504 },
    ),
  )
  .map(([aim, often, rule]): Rule => ({ ...rule, ...aim, ...often }));

const lateCreate = fc
  .tuple(create, fc.integer({ min: 1, max: 3 }), fc.constantFrom({}, { status: 504 as const }))
  .map(([aim, requests, reply]): Rule => ({ fault: "late", requests, ...reply, ...aim, times: 1 }));

const trouble = fc.oneof(
  { weight: 4, arbitrary: fc.constant<readonly Rule[]>([]) },
  { weight: 3, arbitrary: failedRead.map((rule) => [rule]) },
  { weight: 3, arbitrary: lostWrite.map((rule) => [rule]) },
  { weight: 1, arbitrary: lateCreate.map((rule) => [rule]) },
  { weight: 1, arbitrary: fc.tuple(failedRead, lostWrite) },
);

const QUIRKS = fc.constantFrom<Quirks>(
  { listLag: 3_600_000 },
  { unlistedAutomations: true },
  { volatileFields: true },
  { unknownFields: true },
  { unknownEnums: true },
  { shiftingPages: true },
  { shuffleLists: true },
  { softDeleted: "shown" },
  { existingAutomation: "replace" },
  { existingAutomation: "unknown" },
  { rewriteExpressions: true },
  { ignoredFields: ["description"] },
  { ignoredFields: ["scope"] },
  { ignoredFields: ["entitlements"] },
  { ignoredFields: ["traitIds"] },
  { ignoredFields: ["cel"] },
  { otherChoice: true },
  { missingRows: true },
  { clockAhead: 864_000_000 },
  { clockAhead: -3_600_000 },
);

const quirks = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Quirks>({}) },
  { weight: 3, arbitrary: QUIRKS },
  { weight: 1, arbitrary: fc.tuple(QUIRKS, QUIRKS).map(([one, other]) => ({ ...one, ...other })) },
);

const placesOn = (spoken: Interface) =>
  PLACES.map((place, number) => ({ place, number })).filter(
    ({ place }) => spoken === "full" || place !== MADE,
  );

/** One value for each place, null for some, and always for a place that the interface does not have. */
function perPlace<T>(
  spoken: Interface,
  freq: number,
  some: (place: (typeof PLACES)[number]) => fc.Arbitrary<T>,
) {
  const there = new Set(placesOn(spoken).map(({ number }) => number));
  return fc.tuple(
    ...PLACES.map(
      (place, number): fc.Arbitrary<T | null> =>
        there.has(number) ? fc.option(some(place), { freq }) : fc.constant(null),
    ),
  );
}

const round = (spoken: Interface, later: boolean): fc.Arbitrary<Round> => {
  const numbers = placesOn(spoken).map(({ number }) => number);
  const meddled = fc
    .subarray(
      numbers.filter((number) => PLACES[number] !== MADE),
      { maxLength: 2 },
    )
    .chain((places) =>
      fc.tuple(
        ...places.map((number) => {
          const place = PLACES[number] as (typeof PLACES)[number];
          const isDeletable = place.kind === "EntitlementAutomation";
          return fc
            .option(contentsOf(place, later), { freq: isDeletable ? 2 : Number.MAX_SAFE_INTEGER })
            .map((contents) => [number, contents] as const);
        }),
      ),
    )
    .map((all): Meddling => Object.fromEntries(all));
  return fc.record({
    wanted: perPlace(spoken, 2, specOf),
    meddling: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Meddling>({}) },
      { weight: 1, arbitrary: meddled },
    ),
    how: fc.constantFrom("apply", "apply", "saved"),
    by: fc.constantFrom("everything", "everything", "everything", "file", "target", "label"),
    chosen: fc.subarray(numbers, { minLength: 1, maxLength: 2 }),
    prune: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    answered: fc.boolean(),
    state: fc.constantFrom("kept", "kept", "kept", "deleted", "lost with its backup"),
    trouble,
  });
};

/** A second round is mostly the first with a few edits. */
function edited(first: Round, next: Round): Round {
  return {
    ...next,
    wanted: next.wanted.map((spec, number) => (number % 2 === 0 ? (first.wanted[number] ?? null) : spec)),
  };
}

/** Every scenario; most have two rounds. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({ interface: fc.constantFrom<Interface>("full", "full", "core"), later: fc.boolean() })
  .chain(({ interface: spoken, later }) =>
    fc
      .record({
        interface: fc.constant(spoken),
        asked: fc.constantFrom<Interface | "auto">(spoken, spoken, "auto"),
        later: fc.constant(later),
        quirks,
        tenant: fc
          .tuple(...PLACES.map((place) => fc.option(contentsOf(place, later), { freq: 3 })))
          .map((all) => all.map((contents, number) => (PLACES[number] === MADE ? null : contents))),
        rounds: fc.array(round(spoken, later), { minLength: 1, maxLength: 2 }),
      })
      .map((scenario): Scenario => {
        const [first, ...rest] = scenario.rounds;
        if (first === undefined) return scenario;
        return { ...scenario, rounds: [first, ...rest.map((next) => edited(first, next))] };
      }),
  );
