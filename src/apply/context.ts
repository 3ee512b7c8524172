import { kindOf } from "../kinds/index.js";
import { foundFor, type Interface, isLive, showsObjects } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import { isFindable } from "../kinds/listing.js";
import type { Address } from "../model/address.js";
import type { Key } from "../model/key.js";
import { writes } from "../plan/calls.js";
import { firstWrite } from "../plan/pendingStep.js";
import { type Background, backgroundOf } from "../plan/record/background.js";
import { recordLookup } from "../plan/record/lookup.js";
import { ownCreate } from "../plan/record/record.js";
import { nameOfStep, type StepMark, stepMarks } from "../plan/saved/effect.js";
import { deedOf, type Step } from "../plan/step.js";
import type { Entry, Uncertain } from "../state/snapshot.js";
import { dependentsOf, stillNamed } from "../tenant/dependents.js";
import type { Seen } from "../tenant/known.js";
import { asSent, type SentCreate } from "../tenant/madeBy.js";
import { writtenLate } from "../tenant/reads.js";
import { makeTenant } from "../tenant/tenant.js";
import { type Begun, begunBy } from "./begun.js";
import type { Event, Outcome, Recorder } from "./event.js";
import type { Events } from "./events.js";
import type { Halt } from "./halt.js";
import type { Job } from "./job.js";
import type { Patience } from "./reads/patience.js";
import { makeRecentReads, type RecentRead, type Turn, wantedBy } from "./reads/recentReads.js";
import { makeReread, type Reread, withTurns } from "./reads/reread.js";
import { forStep, insideUnit, type Service } from "./service.js";

/** The creates of a run that wait for their turn: a few of them have their intents on record when it comes. */
interface EarlyIntents {
  /** A create begins to wait; `record` is called once, or never where its turn comes first. */
  wait<T>(record: () => Promise<T>): WaitingCreate<T>;
  /** A step has ended: from the first one on, others wait because as many are under way as may be. */
  ended(): void;
}

/** A create that waits for its turn. */
interface WaitingCreate<T> {
  /** Its turn has come. Gives its intent where recording it had begun, else null: it is recorded in the turn then. */
  turn(): Promise<T | null>;
}

/**
 * A create that was recorded and never sent is looked for after a kill. For so few, that takes no longer than for those
 * under way; each turn of all others would be spent on the disk.
 */
const MOST = 2;

/** What one step is performed with. */
export interface StepContext {
  readonly kind: Kind;
  readonly on: Interface;
  readonly service: Pick<Service, "send" | "serverTime">;
  readonly patience: Patience;
  /** When the service shows all owners that were written before the run, by the clock of the patience. */
  readonly shownAt: number;
  /** Whether intents are written before their turn, whatever they are about. */
  readonly isAhead: boolean;
  /** The creates of the run that wait for their turn. */
  readonly earlyIntents: EarlyIntents;
  /** Waits, while other steps take the step's turn. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Waits until all other steps have ended. */
  readonly untilLast: () => Promise<void>;
  /** The step once the objects of its ring stand that its last write names: its own is there under this key. */
  readonly ring: (key: Key | null) => Promise<Step | Unmade>;
  /** Waits until the event is recorded. */
  readonly record: Recorder;
  /** Lets it be recorded when there is time. */
  readonly tell: (event: Event) => void;
  /** What shows that the step is done, once it is. */
  readonly mark: StepMark;
  readonly entry: Entry | null;
  /** What the state keeps of the object once the step is done, beside its record. */
  readonly background: Background;
  readonly uncertain: Uncertain | null;
  readonly halt: Pick<Halt, "reason" | "lost" | "confirm" | "fail">;
  /** Whether `unknown-current` is acknowledged for the object, so that a write may replace what was not seen. */
  readonly mayReplaceUnseen: boolean;
  /** What the create continues that the step is; null for any other step. */
  readonly begun: Begun | null;
  /** The object before the write; null where the service shows no such object. */
  readonly readBefore: ReadBeforeWrite | null;
  /** The object after a write, under its key or, without one, among its siblings; null where nothing can be read. */
  readonly readBack: ((key: Key | null, sent?: SentCreate) => Promise<Seen>) | null;
}

/** A read while the step waits for its turn, and one in its turn. */
interface ReadBeforeWrite {
  readonly withoutTurn: () => Promise<RecentRead>;
  readonly inTurn: () => Promise<RecentRead>;
}

/** What each step of a run is performed with. */
interface StepContexts {
  /** The step with the ids of what the run created, and as it is planned. */
  readonly of: (step: Step, planned: Step) => StepContext;
  /** A list that the steps up to that place will ask for. */
  readonly readAhead: (place: number) => (() => Promise<void>) | undefined;
  /** Nothing has to be read for that step any more. */
  readonly ended: (step: Step) => void;
}

interface Shared {
  readonly halt: Halt;
  readonly ring: (planned: Step, key: Key | null) => Promise<Step | Unmade>;
}

/** Opens what the steps of a run share: what is remembered, and what is read just before each write. */
export function makeContexts(
  job: Job,
  steps: readonly Step[],
  events: Events,
  { halt, pause, untilLast, ring }: Pick<StepContext, "pause" | "untilLast"> & Shared,
): StepContexts {
  const { plan, snapshot, service, clock } = job;
  const records = recordLookup(snapshot);
  const found = plan.interface.kinds;
  const isShown = ({ address }: Step) => isLive(found, address.kind);
  // A plan that was made offline has not looked for what it creates.
  const isUnseenCreate = (step: Step) =>
    deedOf(step) === "create" && showsObjects(foundFor(found, step.address.kind));
  const isRead = (step: Step) =>
    isUnseenCreate(step) || (isShown(step) && (writes(step) || job.plannedAt === null));
  const marks = stepMarks(plan, job.created);
  const earlyIntents = makeEarlyIntents(halt);
  const { plannedAt } = job;
  const shownAt = (plannedAt ?? clock.elapsed()) + job.ownersLag;
  const rereads = rereadsBy(service);
  const ofStep = ({ address }: Step) => rereadsBy(forStep(service, address));
  const wantedOf = (step: Step) => ({
    ...wantedBy(step, kindOf(step.address)),
    ...writtenLate(records.entry(step.address.kind, step.key), job.lateSince ?? null),
    ...asSent(step.key === null ? records.uncertain(step.address, null) : null),
  });
  const recent = makeRecentReads({ steps, isRead, wantedOf, rereads, ofStep, clock, plannedAt });

  function readBefore(step: Step): ReadBeforeWrite | null {
    if (!isShown(step) && !isRead(step)) return null;
    if (!isRead(step) || !isFindable(kindOf(step.address), step.key)) return AS_PLANNED;
    return {
      withoutTurn: () => recent.seen(step, "withoutTurn"),
      inTurn: async () => unlessNamed(await recent.seen(step, "inTurn"), step),
    };
  }

  /** What is read of an object just before its delete; unread as long as others name it. */
  async function unlessNamed(read: RecentRead, step: Step): Promise<RecentRead> {
    const kind = kindOf(step.address);
    if (deedOf(step) !== "delete" || step.key === null || read.seen?.as !== "present") return read;
    const reader = makeTenant(insideUnit(forStep(service, step.address))).reader();
    const seen = await dependentsOf(kind, step.key, reader);
    if (seen === null || (seen.as === "known" && seen.dependents.length === 0)) return read;
    const diagnostic = seen.as === "unread" ? seen.diagnostic : stillNamed(kind, seen.dependents);
    return { ...read, seen: { as: "unread", diagnostic } };
  }

  return {
    of(step, planned) {
      const kind = kindOf(step.address);
      const { address, key } = step;
      const entry = records.entry(address.kind, key);
      const uncertain = records.uncertain(address, key);
      const create = ownCreate({ entry, uncertain, kind }, step);
      return {
        kind,
        on: foundFor(found, address.kind),
        service: forStep(service, address),
        patience: {
          clock,
          milliseconds: job.patience,
          createLag: job.createLag,
          horizon: job.rhythm.horizon,
        },
        shownAt,
        isAhead: job.rhythm.ahead > 0,
        earlyIntents,
        pause,
        untilLast,
        ring: (made) => ring(planned, made),
        record: events.mustRecord,
        tell: events.tell,
        mark: marks.get(nameOfStep(planned)) ?? { step: "" },
        entry,
        background: backgroundOf(step, { entry, create, isRead: isShown(step) }, kind),
        uncertain,
        halt,
        mayReplaceUnseen: job.mayReplaceUnseen(address),
        begun: isRead(step) ? begunBy(step, job.created, records) : null,
        readBefore: readBefore(step),
        readBack: isRead(step)
          ? (now, sent) =>
              ofStep(step).inTurn.one({
                ...wantedBy({ ...step, key: now }, kind),
                ...writtenLate(records.entry(address.kind, now), job.lateSince ?? null),
                ...(sent && { sent }),
              })
          : null,
      };
    },
    readAhead: recent.next,
    ended(step) {
      recent.ended(step);
      earlyIntents.ended();
    },
  };
}

function rereadsBy(service: Service): Readonly<Record<Turn, Reread>> {
  const inTurn = makeReread(insideUnit(service), true);
  return { inTurn, withoutTurn: withTurns(inTurn, service) };
}

const asPlanned = async () => ({ seen: null, until: Number.POSITIVE_INFINITY });

/** A step that writes only the state: what the plan says of its object counts. */
const AS_PLANNED: ReadBeforeWrite = { withoutTurn: asPlanned, inTurn: asPlanned };

/** An object of a ring that did not come to be. */
export interface Unmade {
  readonly need: Address;
  readonly outcome: Outcome;
}

/** A step as its call at a place means to leave the object: in a ring, what awaits others is not in it before the last write. */
export function asOfCall(step: Step, place: number): Step {
  const first = step.calls.slice(place + 1).some(({ awaits }) => awaits !== undefined)
    ? firstWrite(step)
    : null;
  const whole = step.after;
  if (first === null || whole === null) return step;
  const owned = step.managed.owned.filter((name) => name in first || !(name in whole));
  return { ...step, after: first, managed: { ...step.managed, owned } };
}

/** Makes the early intents of a run. None is recorded once it is stopped. */
function makeEarlyIntents({ reason, lost }: Pick<Halt, "reason" | "lost">): EarlyIntents {
  const waiting = new Set<() => void>();
  let isBegun = false;
  let early = 0;

  function fill(): void {
    for (const begin of waiting) {
      if (!isBegun || early >= MOST || reason() !== null || lost() !== null) return;
      waiting.delete(begin);
      early += 1;
      begin();
    }
  }

  return {
    wait<T>(record: () => Promise<T>) {
      let recorded: Promise<T> | null = null;
      const begin = () => {
        recorded = record();
        // The turn hears of a failure.
        recorded.catch(() => undefined);
      };
      waiting.add(begin);
      fill();
      return {
        async turn() {
          if (!waiting.delete(begin)) early -= 1;
          fill();
          return recorded;
        },
      };
    },
    ended() {
      isBegun = true;
      fill();
    },
  };
}
