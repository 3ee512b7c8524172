import fc from "fast-check";
import { type AskedInterface, askedFor, type Interface } from "../../../src/kinds/interface.js";
import type { Rule } from "../../../src/sandbox/faults/plan.js";
import type { Quirks } from "../../../src/sandbox/http/exchange.js";
import { type Contents, contentsOf } from "./contents.js";
import { OWNERS } from "./owners.js";
import { isFullOnly, MADE, PLACES, type Place } from "./places.js";
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
  /** What `removed:` decides about each recorded object without a manifest. */
  readonly removed: "nothing" | "delete" | "forget";
  /** Whether the operator answers `unknown-current`. */
  readonly answered: boolean;
  /** What became of the state since the last run. */
  readonly state: "kept" | "deleted" | "lost with its backup";
  readonly trouble: readonly Rule[];
}

/** A tenant and what is done with it, as plain data: printed, it can be run again. */
export interface Scenario {
  /** What the service offers, and what the project asks for. */
  readonly served: Interface;
  readonly asked: AskedInterface;
  readonly firstWrite: "ask" | "allow";
  /** Whether manifests name their app and entitlement, so that lists are read to find the ids. */
  readonly isNamed: boolean;
  readonly later: boolean;
  readonly quirks: Quirks;
  /** What the tenant contains at the start; null where there is nothing. */
  readonly tenant: readonly (Contents | null)[];
  readonly rounds: readonly Round[];
}

/** The interface on which remit meets a kind in a scenario. */
export function spokenFor({ served, asked }: Pick<Scenario, "served" | "asked">, { kind }: Place): Interface {
  return served === "core" || askedFor(asked, kind) === "core" ? "core" : "full";
}

/** The places that a scenario can have: an id is chosen by the service only where it can be read back. */
function placesOf(forms: Pick<Scenario, "served" | "asked">): readonly number[] {
  return [...PLACES.keys()].filter((number) => {
    const place = PLACES[number] as Place;
    return (place !== MADE && !isFullOnly(place)) || isRead(forms, place);
  });
}

/** Whether the larger interface is there for a place, and for the one that it refers to. */
function isRead(forms: Pick<Scenario, "served" | "asked">, place: Place): boolean {
  const isParentRead = place.refers === undefined || isRead(forms, place.refers.to);
  return spokenFor(forms, place) === "full" && isParentRead;
}

// The reads of one object come twice: what they say decides about a write.
const READS = [
  "GetScopeAndEntitlements",
  "GetAutomation",
  "GetScopeAndEntitlements",
  "GetAutomation",
  "ListEntitlements",
  "ListApps",
  "ListResourceTypes",
  "ListWebhooks",
  "ListResources",
  "GetEntitlement",
  "GetTemplate",
  "GetCatalog",
  "ListCatalogEntryIds",
  "GetAppRequestDefaults",
  "GetAppUsageControls",
  "GetAppConfigurationRules",
  "SearchPolicies",
  "GetPolicy",
  "ListRiskLevels",
  "ListAppOwnerUsers",
  "ListResourceOwnerEntitlements",
  "ListEntitlementOwnerUsers",
  "GetMonitor",
  "GetAppEntitlementMonitorBinding",
];
const WRITES = [
  "SetScopeAndEntitlements",
  "CreateAutomation",
  "UpdateAutomation",
  "DeleteAutomation",
  "UpdateResourceType",
  "CreateResourceType",
  "UpdateWebhook",
  "UpdateResource",
  "UpdateEntitlement",
  "UpdateTemplate",
  "UpdateCatalog",
  "SetCatalogEntries",
  "AddCatalogBindings",
  "DeleteEntitlement",
  "UpdateApp",
  "SetAppRequestDefaults",
  "SetAppUsageControls",
  "UpdatePolicy",
  "CreateConfigurationRule",
  "ReorderConfigurationRules",
  "UpdateConfigurationRule",
  "DeleteConfigurationRule",
  "AddAppOwnerUser",
  "RemoveResourceOwnerUser",
  "AddEntitlementOwnerEntitlement",
  "RemoveEntitlementOwnerUser",
  "UpdateMonitor",
  "CreateAppEntitlementMonitorBinding",
  "DeleteAppEntitlementMonitorBinding",
  "DeletePolicy",
];

/** A service that hangs, in milliseconds: longer than a run waits, and at its end the sandbox is closed. */
const HANG = 60_000;

const times = fc.constantFrom({ times: 1 }, { times: 2 }, {}, {});
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
      { fault: "latency", milliseconds: HANG },
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
  { ownersLag: 1_000 },
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
  { ignoredFields: ["displayName"] },
  { hiddenFields: ["displayName", "url"] },
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

/** One value for each place, null for some, and always for a place that the scenario does not have. */
function perPlace<T>(numbers: readonly number[], freq: number, some: (place: Place) => fc.Arbitrary<T>) {
  return fc.tuple(
    ...PLACES.map(
      (place, number): fc.Arbitrary<T | null> =>
        numbers.includes(number) ? fc.option(some(place), { freq }) : fc.constant(null),
    ),
  );
}

/** What another program may write or delete between two runs. */
function meddlingIn(numbers: readonly number[], later: boolean): fc.Arbitrary<Meddling> {
  const known = numbers.filter((number) => PLACES[number] !== MADE);
  const some = fc.subarray(known, { minLength: 1, maxLength: 2 }).chain((places) =>
    fc.tuple(
      ...places.map((number) => {
        const place = PLACES[number] as Place;
        const isDeletable = place.kind === "EntitlementAutomation";
        return fc
          .option(contentsOf(place, later), { freq: isDeletable ? 2 : Number.MAX_SAFE_INTEGER })
          .map((contents) => [number, contents] as const);
      }),
    ),
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<Meddling>({}) },
    { weight: 1, arbitrary: some.map((all): Meddling => Object.fromEntries(all)) },
  );
}

const seldom = fc.constantFrom(true, false, false);

const round = (numbers: readonly number[], later: boolean): fc.Arbitrary<Round> =>
  fc.record({
    wanted: perPlace(numbers, 2, specOf),
    meddling: meddlingIn(numbers, later),
    how: fc.constantFrom("apply", "apply", "saved"),
    by: fc.constantFrom("everything", "everything", "everything", "file", "target", "label"),
    chosen: fc.subarray([...numbers], { minLength: 1, maxLength: 2 }),
    prune: seldom,
    removed: fc.constantFrom("nothing", "nothing", "nothing", "delete", "forget"),
    answered: fc.boolean(),
    state: fc.constantFrom("kept", "kept", "kept", "deleted", "lost with its backup"),
    trouble,
  });

/** A second round is mostly the first with a few edits. */
function edited(first: Round, next: Round): Round {
  return {
    ...next,
    wanted: next.wanted.map((spec, number) => (number % 2 === 0 ? (first.wanted[number] ?? null) : spec)),
  };
}

/** A round whose writes are all done, and none of them is answered; where another trouble is drawn, that one. */
function lossy(round: Round): Round {
  const trouble: readonly Rule[] = [{ fault: "lost", method: "POST" }];
  return round.trouble.length > 0 ? round : { ...round, answered: true, trouble };
}

/** The manifests of the first round again, whatever became of the second: a git revert. */
function reverted({ wanted }: Round, last: Round): Round {
  return { ...last, wanted, meddling: {}, state: "kept", trouble: [] };
}

/** A run is refused where a project has no manifest at all. */
function withManifest(round: Round): Round {
  if (round.wanted.some((spec) => spec !== null)) return round;
  const first: Spec = { displayName: { says: "One", kept: "One" } };
  return { ...round, wanted: round.wanted.map((_, number) => (number === 0 ? first : null)) };
}

/**
 * A scenario in which remit can know the owners. While they are shown late, what another program does to them looks like
 * what remit wrote, and without a state nothing tells them apart. Where all lists are late for long, no manifest has owners.
 */
function knowingOwners(scenario: Scenario): Scenario {
  const { quirks, rounds, tenant } = scenario;
  if (quirks.listLag === undefined && quirks.ownersLag === undefined) return scenario;
  const isHidden = quirks.listLag !== undefined;
  const known = rounds.map(({ meddling, ...round }): Round => {
    const others = Object.entries(meddling).map(([number, one]) => [number, ownerless(one)] as const);
    const wanted = isHidden ? round.wanted.map(ownerless) : round.wanted;
    return { ...round, wanted, meddling: Object.fromEntries(others), ...(isHidden ? {} : { state: "kept" }) };
  });
  return { ...scenario, tenant: isHidden ? tenant.map(ownerless) : tenant, rounds: known };
}

function ownerless<T extends Spec | Contents>(one: T | null): T | null {
  if (one === null) return null;
  return Object.fromEntries(Object.entries(one).filter(([name]) => name !== OWNERS)) as T;
}

const FORMS = fc.constantFrom<Pick<Scenario, "served" | "asked">>(
  { served: "full", asked: "full" },
  { served: "full", asked: "full" },
  { served: "full", asked: "auto" },
  { served: "full", asked: { TemplateScope: "core" } },
  { served: "full", asked: { EntitlementAutomation: "core", ResourceType: "full" } },
  { served: "core", asked: "core" },
  { served: "core", asked: "auto" },
  { served: "full", asked: "core" },
);

/** Every scenario; most have two rounds. */
export const scenarios: fc.Arbitrary<Scenario> = fc.tuple(FORMS, fc.boolean()).chain(([forms, later]) => {
  const numbers = placesOf(forms);
  return fc
    .record({
      firstWrite: fc.constantFrom<Scenario["firstWrite"]>("ask", "allow"),
      isNamed: fc.boolean(),
      quirks,
      tenant: fc
        .tuple(...PLACES.map((place) => fc.option(contentsOf(place, later), { freq: 3 })))
        .map((all) => all.map((contents, number) => (PLACES[number] === MADE ? null : contents))),
      rounds: fc.array(round(numbers, later), { minLength: 1, maxLength: 2 }),
      isReverted: seldom,
    })
    .map(({ rounds, isReverted, ...rest }): Scenario => {
      const [first, ...others] = rounds.map(withManifest);
      if (first === undefined) throw new Error("a scenario has a round");
      const all = [first, ...others.map((next) => edited(first, next))];
      const last = all.at(-1);
      if (isReverted && last !== undefined && last !== first)
        all.splice(1, 1, lossy(last), reverted(first, last));
      return knowingOwners({ ...forms, later, ...rest, rounds: all.map(withManifest) });
    });
});
