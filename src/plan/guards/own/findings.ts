import { type AskedGuard, type GuardAnswer, readGuard } from "../../../impact/guard/guard.js";
import type { GuardInput, HeldFrom } from "../../../impact/guard/input.js";
import type { PeopleView } from "../../../impact/guard/people.js";
import { indexPeople } from "../../../impact/guard/peopleIndex.js";
import { formatAddress } from "../../../model/address.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { onceFor } from "../../../model/onceFor.js";
import { quote } from "../../../words/quote.js";
import type { Finding, Planned } from "../../plan.js";
import { LABEL_SOURCES, type LabelSource } from "../../select/labels.js";
import type { Step } from "../../step.js";
import { acknowledged, acknowledgementOf } from "../acknowledge.js";
import { hashOfFinding } from "../findings.js";
import { nameOfAcknowledgement, nameOfOwnGuard, type Rules } from "../rules.js";
import type { GuardFacts, OwnFindings } from "./facts.js";
import { type GuardedStep, guardedSteps, peopleOfAll, saidOfLabels } from "./input.js";
import { languageOf } from "./languageOf.js";
import { concerns, type OwnGuard, ownName } from "./ownGuard.js";

/** A guard's answer about one step of a plan is late, on any machine, after so many steps of its own. */
const MOST_STEPS = 20_000_000;

/** The clock ends what no count of steps foresaw, such as a regular expression. In milliseconds, for so many steps. */
const DEADLINE = 10_000;

const TOO_LONG = "the expression takes too many steps";

/** What own guards find in a plan. */
export function ownFindings(
  plan: Pick<Planned, "steps" | "interface" | "impact">,
  facts: GuardFacts,
  rules: Rules,
): OwnFindings {
  const { own, proposal } = rules.settings;
  const found = plan.steps.flatMap(({ managed: { otherLabels } }) => otherLabels.map(({ by }) => by));
  const others = LABEL_SOURCES.filter((by) => found.includes(by));
  const sources = own.guards.some(({ readsLabels }) => readsLabels) ? others : [];
  const askings = (["manifest", ...sources] as const).map((source) => askingOf(plan, facts, rules, source));
  const trips = own.guards.flatMap((guard) =>
    tripsOf(guard, guard.readsLabels ? askings : askings.slice(0, 1)),
  );
  const names = own.guards.map(({ name }) => name);
  const isDoubled = ({ name }: OwnGuard) => names.indexOf(name) !== names.lastIndexOf(name);
  const kept =
    proposal === null ? null : new Set(proposal.own.map(({ definition, name }) => `${name} ${definition}`));
  const findings = trips
    .filter(({ guard }) => guard.level !== "note")
    .map((trip): Finding => {
      const { guard, address, message, steps } = trip;
      const name = ownName(guard);
      const level = guard.level === "deny" ? "deny" : "acknowledge";
      const hash = hashOfFinding(name, address, steps, guard.definition);
      const found = {
        guard: name,
        address,
        message,
        hash,
        own: { level, definition: guard.definition },
      } as const;
      const answers = {
        ...rules,
        acknowledgements: rules.acknowledgements.filter((one) => mayAnswer(one, guard)),
      };
      const answer = acknowledged(found, answers);
      return { ...found, acknowledged: answer, proposed: answer === null ? proposedFor(trip, found) : [] };
    });
  const notes = trips
    .filter(({ guard }) => guard.level === "note")
    .map(({ guard, address, message }): Diagnostic => {
      const about = address === null ? "" : `${formatAddress(address)}: `;
      return quote(ownName(guard), "note", `${about}${message}`);
    });
  return { findings, notes };

  /** No acknowledgement answers a finding that is denied; of two guards with one name, only one with the hash of the finding. */
  function mayAnswer(one: Rules["acknowledgements"][number], guard: OwnGuard): boolean {
    if (guard.level === "deny") return false;
    return !isDoubled(guard) || (one.by === "project" && one.of !== null);
  }

  /** The working tree's change that answers a finding once it is merged: an acknowledgement, or a guard that is gone or says less. */
  function proposedFor(
    { guard, address }: Trip,
    found: Pick<Finding, "guard" | "address" | "hash">,
  ): Finding["proposed"] {
    if (proposal === null || kept === null) return [];
    const placeIn = (name: string) =>
      rules.settings.differences.find(({ setting }) => setting === name)?.place ?? null;
    if (!kept.has(`${guard.name} ${guard.definition}`)) {
      const isLeft = trips.some(
        (one) =>
          one.guard.name === guard.name &&
          kept.has(`${one.guard.name} ${one.guard.definition}`) &&
          one.guard.level !== "note" &&
          (one.address === null ? null : formatAddress(one.address)) ===
            (address === null ? null : formatAddress(address)),
      );
      const setting = nameOfOwnGuard(guard);
      if (!isLeft) return [{ setting, place: placeIn(setting) }];
    }
    const entries = proposal.acknowledgements.filter((one) => mayAnswer(one, guard));
    const entry = acknowledgementOf(found, { ...rules, acknowledgements: entries });
    if (entry === null) return [];
    const setting = nameOfAcknowledgement(entry);
    return [{ setting, place: placeIn(setting) }];
  }
}

/** One time that a guard trips. */
interface Trip {
  readonly guard: OwnGuard;
  readonly address: Step["address"] | null;
  readonly message: string;
  readonly steps: readonly Step[];
}

/**
 * What all guards are asked with, where the labels of objects are those that one source has: each input is made once,
 * whatever number of guards read it.
 */
interface Asking {
  readonly steps: readonly (GuardedStep & { readonly input: GuardInput })[];
  /** Of the whole plan. */
  readonly whole: () => GuardInput;
  readonly own: Rules["settings"]["own"];
  readonly source: LabelSource | "manifest";
}

function askingOf(
  plan: Pick<Planned, "steps" | "interface" | "impact">,
  { moves, holds }: GuardFacts,
  { today, settings: { own } }: Rules,
  source: Asking["source"],
): Asking {
  const steps = guardedSteps(plan, moves, source);
  const common = {
    steps: steps.map(({ view }) => view),
    context: own.context,
    today: new Date(`${today}T00:00:00Z`),
    index: indexPeople(),
    holds,
  };
  const about = (step: GuardInput["step"], people: PeopleView): GuardInput => ({ step, people, ...common });
  let whole: GuardInput | null = null;
  return {
    steps: steps.map((one) => ({ ...one, input: about(one.view, one.people) })),
    whole: () => {
      whole ??= about(null, peopleOfAll(steps));
      return whole;
    },
    own,
    source,
  };
}

/** What a guard says of a plan: of each step that it is about, or of the whole plan, where its address is null. */
export function answersTo(
  guard: OwnGuard,
  plan: Pick<Planned, "steps" | "interface" | "impact">,
  facts: GuardFacts,
  rules: Rules,
): readonly GuardAnswer[] {
  return asked(guard, askingOf(plan, facts, rules, "manifest")).map(({ answer }) => answer);
}

/** A guard's answer, the steps that it is about, and what has the labels that it was asked with. */
interface Asked {
  readonly address: Step["address"] | null;
  readonly steps: readonly Step[];
  readonly labelled: Pick<GuardedStep, "labels" | "labelsBy">;
  readonly answer: GuardAnswer;
}

function asked(guard: OwnGuard, { steps, whole, own, source }: Asking): readonly Asked[] {
  if (guard.on.as === "plan") {
    const all = [...new Set(steps.map(({ step }) => step))];
    if (all.length === 0) return [];
    const answers = answersOf(guard, [whole()], own.evaluate);
    return answers.map((answer) => ({
      address: null,
      steps: all,
      labelled: { labels: {}, labelsBy: source },
      answer,
    }));
  }
  const concerned = steps.filter(({ step: { address }, action, labels }) =>
    concerns(guard, { kind: address.kind, action, labels }, own.context),
  );
  const inputs = concerned.map(({ input }) => input);
  return answersOf(guard, inputs, own.evaluate).flatMap((answer, at): readonly Asked[] => {
    const one = concerned[at];
    if (one === undefined) return [];
    return [{ address: one.step.address, steps: [one.step], labelled: one, answer }];
  });
}

/** A step trips once, also where it is asked about twice; what its manifest says comes first. */
function tripsOf(guard: OwnGuard, askings: readonly Asking[]): readonly Trip[] {
  const byStep = new Map<Step | undefined, Trip>();
  for (const trip of askings.flatMap((one) => asked(guard, one)).flatMap((one) => tripOf(guard, one)))
    if (!byStep.has(trip.steps[0])) byStep.set(trip.steps[0], trip);
  return [...byStep.values()];
}

/** The answers of one guard, in the order of the inputs. */
function answersOf(
  guard: OwnGuard,
  inputs: readonly GuardInput[],
  evaluate: Asking["own"]["evaluate"],
): readonly GuardAnswer[] {
  if (inputs.length === 0) return [];
  const read = readGuard(guard.trips, languageOf(guard));
  let isOver = false;
  return batchesOf(inputs, (input) => stepsFor(read, input)).flatMap((batch): readonly GuardAnswer[] => {
    const ran =
      isOver || batch.steps > MOST_STEPS ? null : evaluate(() => batch.inputs.map(read.ask), DEADLINE);
    // The clock ended it: the rest of a large plan would take as long again.
    isOver ||= ran === null && batch.steps <= MOST_STEPS;
    return ran?.value ?? batch.inputs.map(() => ({ is: "unknown", why: TOO_LONG }));
  });
}

/** Inputs that are asked about together, in their order. */
interface Batch {
  readonly inputs: readonly GuardInput[];
  readonly steps: number;
}

/** Inputs in batches that are not late; one that is late by itself is alone. */
function batchesOf(inputs: readonly GuardInput[], stepsOf: (input: GuardInput) => number): readonly Batch[] {
  const batches: { inputs: GuardInput[]; steps: number }[] = [];
  for (const input of inputs) {
    const steps = stepsOf(input);
    const last = batches.at(-1);
    if (last === undefined || last.steps + steps > MOST_STEPS) batches.push({ inputs: [input], steps });
    else {
      last.inputs.push(input);
      last.steps += steps;
    }
  }
  return batches;
}

function stepsFor({ steps, isLooping }: AskedGuard, { people, steps: views, step }: GuardInput): number {
  if (!isLooping) return steps({ people: 0, steps: 0, others: 0 });
  const lists = [people.gain, people.lose, people.enter, people.leave];
  const longest = Math.max(...lists.map((some) => ("people" in some ? some.people.length : 0)));
  return steps({ people: longest, steps: views.length, others: step === null ? LARGE : sizeOf(step.values) });
}

/** The lists of the steps of a plan are not counted one by one. */
const LARGE = 1_000;

/** How many values are in one. */
function sizeOf(value: Json): number {
  return typeof value === "object" && value !== null ? sizeInside(value) : 1;
}

const sizeInside = onceFor((value: JsonObject | readonly Json[]): number => {
  const inner = isObject(value) ? Object.values(value) : value;
  return inner.reduce((sum: number, one) => sum + sizeOf(one), 1);
}, new WeakMap());

function tripOf(guard: OwnGuard, { address, steps, labelled, answer }: Asked): readonly Trip[] {
  if (answer.is === "passes") return [];
  const { message } = guard;
  const said = answer.is === "unknown" ? `${message} (${answer.why})` : withSource(message, answer.heldFrom);
  return [{ guard, address, message: `${said}${saidOfLabels(guard, labelled)}`, steps }];
}

/** The message, and from what it is known who holds an entitlement. */
function withSource(message: string, heldFrom: readonly HeldFrom[]): string {
  return heldFrom.length === 0 ? message : `${message} (who holds what: by ${heldFrom.join(" and ")})`;
}
