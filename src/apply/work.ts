import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { groupAt } from "../model/groupBy.js";
import type { Key } from "../model/key.js";
import { pendingId } from "../model/pending.js";
import { isPending } from "../plan/calls.js";
import { awaitedBy, idsOf, pendingOf } from "../plan/pendingStep.js";
import { deedOf, type Step } from "../plan/step.js";
import { withIds } from "../plan/withIds.js";
import { say } from "../words/say.js";
import { leftFor } from "./beforeSending.js";
import { makeContexts, type StepContext, type Unmade } from "./context.js";
import type { Outcome } from "./event.js";
import { type Events, makeEvents } from "./events.js";
import { type Halt, makeHalt } from "./halt.js";
import type { Job } from "./job.js";
import { withBackground } from "./lateParts.js";
import { makeParallel, type StepWork } from "./parallel.js";
import { prepare } from "./prepare.js";
import { makeReread, withTurns } from "./reads/reread.js";
import { insideUnit } from "./service.js";
import type { StepResult } from "./settle.js";
import { makeSummary, type Summary } from "./summary.js";
import { type Created, findTwins } from "./twins.js";

/** What a run came to. */
export interface Result {
  readonly summary: Summary;
  /** Why it stopped before its end, where the state could not be kept or the lock was lost; else null. */
  readonly fault: Diagnostic | null;
}

/**
 * Carries out a plan: each step once what it needs is done, as many at once as the pace allows. A step that fails
 * takes with it what needs it, and nothing else. Never throws for what the service, the disk or the user do.
 */
export async function runPlan(job: Job): Promise<Result> {
  const { plan, service } = job;
  const steps = plan.steps.filter(({ action }) => isPending(action));
  const summary = makeSummary();
  const before = service.report();
  const events = makeEvents(summary.tell, job.recorder, (error) => halt.fail(error));
  const halt = makeHalt(job, (signal) => events.tell({ type: "interrupted", signal }));
  const deaf = service.pace.watch((change) => events.tell({ type: "throttled", ...change }));

  await events.say({
    type: "run started",
    run: job.run,
    plan: job.effect,
    steps: steps.length,
    calls: steps.reduce((sum, { calls }) => sum + calls.length, 0),
  });
  for (const step of steps.filter(isBlocked)) {
    await leave(step, step.diagnostics, events);
  }
  const queue = makeQueue(steps.filter((step) => !isBlocked(step)));
  const created: Created[] = [];
  await workThrough(job, queue, events, halt, (one) => created.push(one));
  for (const step of queue.drain()) {
    const { diagnostics } = leftFor(step, halt.reason()?.why ?? "what it needs never came up");
    await leave(step, diagnostics, events);
  }

  if (created.length > 0 && halt.reason() === null) await lookAgain(created, service, events);
  deaf();
  halt.close();
  await events.quiet();
  const { calls, retries, throttled } = service.report();
  await events.say({
    type: "run finished",
    run: job.run,
    outcomes: summary.read().outcomes,
    calls: calls - before.calls,
    retries: retries - before.retries,
    throttled: throttled - before.throttled,
  });
  return { summary: summary.read(), fault: halt.reason()?.fault ?? null };
}

/** Looks at the lists of created objects once more, and says where another object has the same name. */
async function lookAgain(
  created: readonly Created[],
  service: Job["service"],
  events: Events,
): Promise<void> {
  const reread = withTurns(makeReread(insideUnit(service), true), service);
  for (const { step, isDoubled, diagnostic } of await findTwins(created, reread)) {
    const { address, action } = step;
    const outcome = isDoubled ? "failed" : "done";
    await events.say({ type: "looked again", address, action, outcome, diagnostics: [diagnostic] });
  }
}

/** Reports that a step was not started, and why. */
function leave(
  { address, action, key }: Step,
  diagnostics: readonly Diagnostic[],
  events: Events,
): Promise<void> {
  const outcome = "left";
  const event = { type: "step finished", address, action, outcome, step: null, key } as const;
  return events.say({ ...event, record: null, diagnostics });
}

function isBlocked({ action }: Step): boolean {
  return action === "blocked";
}

/**
 * Keeps as many steps writing as the pace allows, and as many again ready, until none are left or the run is halted.
 * The intent of a step is on the disk before its turn comes.
 */
function workThrough(
  job: Job,
  queue: Queue,
  events: Events,
  halt: Halt,
  create: (created: Created) => void,
): Promise<void> {
  const parallel = makeParallel(job);
  const ids = idsOf(job.created);
  const contexts = makeContexts(job, queue.steps, events, { ...parallel, halt, ring });

  /** The step with the ids of what its last write awaits, once that is done; else what did not come to be. */
  async function ring(planned: Step, key: Key | null): Promise<Step | Unmade> {
    const awaited = awaitedBy(planned);
    ids.set(pendingId(planned.address), key?.at(-1) ?? "");
    queue.made(planned);
    await parallel.until(() => awaited.every((one) => queue.outcome(one) !== undefined));
    const need = awaited.find((one) => queue.outcome(one) !== "done");
    return need === undefined ? withIds(planned, ids) : { need, outcome: queue.outcome(need) ?? "left" };
  }

  function next(): StepWork | undefined {
    if (halt.reason() !== null) return undefined;
    // Where intents are written ahead, objects are read in their turn.
    const isAhead = job.rhythm.ahead > 0;
    const list = isAhead ? undefined : contexts.readAhead(queue.taken() + parallel.size());
    if (list !== undefined) return list;
    const step = queue.next();
    return step === undefined ? undefined : () => run(step);
  }

  async function run(planned: Step): Promise<void> {
    const step = withIds(planned, ids);
    const { address, action } = step;
    const context = contexts.of(step, planned);
    const awaited = new Set(awaitedBy(step).map(formatAddress));
    const isOpen = (one: Address) => awaited.has(formatAddress(one)) && queue.outcome(one) === undefined;
    const unknown = pendingOf(step).find((one) => !isOpen(one));
    if (unknown !== undefined) {
      const diagnostics = [say("apply/pending", { object: unknown }, { span: step.managed.span })];
      return finish(planned, step, context, { outcome: "refused", key: null, record: null, diagnostics });
    }
    const prepared = await prepare(step, context);
    if (prepared.as === "ended") return finish(planned, step, context, prepared.how);
    return job.service.pace.limit(async () => {
      const reason = halt.reason();
      if (reason !== null) return leave(step, leftFor(step, reason.why).diagnostics, events);
      await events.say({ type: "step started", address, action });
      await finish(planned, step, context, await prepared.write());
    });
  }

  async function finish(planned: Step, step: Step, context: StepContext, ended: StepResult): Promise<void> {
    // What needs it is left, too, for the same reason.
    contexts.ended(planned);
    if (ended.outcome === "done" && ended.key !== null)
      ids.set(pendingId(step.address), ended.key.at(-1) ?? "");
    if (ended.outcome === "left") return leave(step, ended.diagnostics, events);
    const skipped = queue.ended(planned, ended.outcome);
    const made = createdBy(step, context, ended);
    if (made !== null) create(made);
    const { address, action } = step;
    const record = ended.record === null ? null : withBackground(ended.record, context.background);
    await events.say({ type: "step finished", address, action, ...context.mark, ...ended, record });
    for (const { step: other, need } of skipped) {
      const values = { need, outcome: ended.outcome };
      const diagnostics = [say("apply/skipped", values, { span: other.managed.span })];
      const rest = { outcome: "skipped", step: null, key: other.key, record: null, diagnostics } as const;
      await events.say({ type: "step finished", address: other.address, action: other.action, ...rest });
    }
  }

  return parallel.workThrough(next);
}

/** The object that a step created, where a list shows whether another one has its name; else null. */
function createdBy(step: Step, { kind, readBack }: StepContext, { key, record }: StepResult): Created | null {
  const isNamed = deedOf(step) === "create" && step.key === null && kind.reads.list !== undefined;
  return isNamed && key !== null && record !== null && readBack !== null ? { step, kind, key } : null;
}

/** A step that cannot be begun any more, and the one it needed. */
interface Skipped {
  readonly step: Step;
  readonly need: Address;
}

/** The steps that have not started, each given out once what it needs is done and what it follows has ended. */
interface Queue {
  /** All of them, in the plan's order. */
  readonly steps: readonly Step[];
  /** The next step that can be begun now. */
  readonly next: () => Step | undefined;
  /** How many were given out. */
  readonly taken: () => number;
  /** Lets what waits for the object of the step come up: it exists, while the step goes on. */
  readonly made: (step: Step) => void;
  /** How a step ended; undefined while it has not. One that is not among them counts as done. */
  readonly outcome: (address: Address) => Outcome | undefined;
  /** Lets what waits for the step come up; gives those that never will, because they need it and it was not done. */
  readonly ended: (step: Step, outcome: Outcome) => readonly Skipped[];
  /** Takes out everything that has not started. */
  readonly drain: () => readonly Step[];
}

interface Item {
  readonly step: Step;
  /** How many of those before it have not ended. */
  open: number;
}

/** Puts steps in a queue; a needed step that is not among them counts as done. */
function makeQueue(steps: readonly Step[]): Queue {
  const items = new Map<string, Item>(steps.map((step) => [formatAddress(step.address), { step, open: 0 }]));
  const waiting = new Map<string, Item[]>();
  for (const item of items.values()) {
    const { needs, follows } = item.step;
    const awaited = new Set(awaitedBy(item.step).map(formatAddress));
    for (const first of new Set([...needs, ...follows].map(formatAddress))) {
      if (!items.has(first) || awaited.has(first)) continue;
      item.open += 1;
      groupAt(waiting, first).push(item);
    }
  }
  const outcomes = new Map<string, Outcome | undefined>([...items.keys()].map((name) => [name, undefined]));
  const ready = [...items.values()].filter(({ open }) => open === 0);
  let taken = 0;

  const waitingFor = ({ address }: Step) => waiting.get(formatAddress(address)) ?? [];

  function skip(need: Step): readonly Skipped[] {
    const name = formatAddress(need.address);
    return waitingFor(need).flatMap(({ step }) => {
      const isNeeding = step.needs.some((one) => formatAddress(one) === name);
      if (!isNeeding || !items.delete(formatAddress(step.address))) return [];
      return [{ step, need: need.address }, ...skip(step)];
    });
  }

  function release(waited: readonly Item[]): void {
    for (const item of waited) {
      item.open -= 1;
      if (item.open === 0 && items.has(formatAddress(item.step.address))) ready.push(item);
    }
  }

  return {
    steps,
    next() {
      const item = ready[taken];
      if (item === undefined) return undefined;
      taken += 1;
      items.delete(formatAddress(item.step.address));
      return item.step;
    },
    taken: () => taken,
    made(step) {
      const met = waitingFor(step);
      waiting.delete(formatAddress(step.address));
      release(met);
    },
    outcome(address) {
      const name = formatAddress(address);
      return outcomes.has(name) ? outcomes.get(name) : "done";
    },
    ended(step, outcome) {
      const skipped = outcome === "done" ? [] : skip(step);
      outcomes.set(formatAddress(step.address), outcome);
      for (const { step: other } of skipped) outcomes.set(formatAddress(other.address), "skipped");
      for (const one of [step, ...skipped.map(({ step: other }) => other)]) release(waitingFor(one));
      return skipped;
    },
    drain() {
      const left = [...items.values()].map(({ step }) => step);
      items.clear();
      taken = ready.length;
      return left;
    },
  };
}
