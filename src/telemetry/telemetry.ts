import type { Event } from "../apply/event.js";
import type { Clock, Random } from "../model/clock.js";
import { writes } from "../plan/calls.js";
import { totalsOf } from "../plan/people/totals.js";
import type { Planned } from "../plan/plan.js";
import { type Action, isDrifted } from "../plan/step.js";
import type { CallWatch } from "../tenant/client/watch.js";
import { type Figures, makeFigures } from "./figures.js";
import { makeCallSpans, makeStepSpans } from "./spans.js";
import { type Attributes, newId, type TraceContext, type TraceEvent, type TraceSpan } from "./trace.js";

/** What a run is measured from. */
interface TelemetryOptions {
  readonly command: string;
  /** The name of the project; null where it has none. */
  readonly project: string | null;
  readonly trace: TraceContext;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly random: Random;
}

/** Listens to a run, and says at its end what it saw. */
export interface Telemetry {
  readonly watch: CallWatch;
  /** The plan was made that is shown or applied. */
  readonly planned: (plan: Planned) => void;
  readonly heard: (event: Event) => void;
  /** Ends the run; `throttled` is null where the service was not called. */
  readonly end: (exitCode: number, throttled: number | null) => Measured;
}

/** What was seen of a run. */
interface Measured {
  readonly spans: readonly TraceSpan[];
  readonly figures: Figures;
  readonly start: number;
  readonly end: number;
}

/** Begins to listen. */
export function makeTelemetry({ command, project, trace, clock, random }: TelemetryOptions): Telemetry {
  const [began, origin] = [clock.now(), clock.elapsed()];
  // A clock that is set anew during the run moves no span.
  const now = () => began + (clock.elapsed() - origin);
  const figures = makeFigures({ command, ...(project === null ? {} : { project }) });
  const spans: TraceSpan[] = [];
  const run = newId(8, random);
  const calls = makeCallSpans({ trace, random, now, figures, keep: (span) => spans.push(span) });
  let stage = newStage("plan");
  const steps = makeStepSpans(
    () => newId(8, random),
    now,
    () => {
      // The first read for a step comes before the run tells that it started.
      enterApply();
      return stage.id;
    },
  );

  function newStage(name: "plan" | "apply") {
    const events: TraceEvent[] = [];
    return { id: newId(8, random), name, start: now(), events, isOpen: true };
  }

  function endStage() {
    if (!stage.isOpen) return;
    stage.isOpen = false;
    spans.push(...steps.left());
    const { id, name, start, events } = stage;
    const whole = { id, parent: run, name, isCall: false, start, end: now() };
    spans.push({ ...whole, attributes: {}, events, hasFailed: false });
  }

  function enterApply() {
    if (stage.isOpen && stage.name === "apply") return;
    endStage();
    stage = newStage("apply");
  }

  return {
    watch: {
      begin(call, step) {
        const outside = stage.isOpen ? stage.id : run;
        return calls.begin(call, step === null ? outside : steps.of(step));
      },
    },
    planned(plan) {
      endStage();
      countPlan(plan, figures);
    },
    heard(event) {
      const at = now();
      if (event.type === "run started") {
        enterApply();
      } else if (event.type === "step started") {
        steps.started(event.address, event.action);
      } else if (event.type === "step finished") {
        const { action, outcome } = event;
        figures.add("remit_run_steps", 1, { action, outcome });
        const span = steps.finished(event);
        if (span !== null) spans.push(span);
      } else if (event.type === "throttled") {
        stage.events.push({ name: "throttled", at, attributes: { "remit.wait_ms": event.milliseconds } });
      } else if (event.type === "interrupted") {
        stage.events.push({ name: "interrupted", at, attributes: {} });
      } else if (event.type === "run finished") endStage();
    },
    end(exitCode, throttled) {
      endStage();
      const end = now();
      if (throttled !== null) figures.set("remit_run_throttled_seconds", throttled / 1000);
      figures.set("remit_run_duration_seconds", (end - began) / 1000);
      figures.set("remit_run_exit_code", exitCode);
      figures.set("remit_run_completed_timestamp_seconds", Math.round(end) / 1000);
      const leftOut = calls.leftOut();
      const attributes: Attributes = {
        "remit.command": command,
        "remit.exit_code": exitCode,
        ...(leftOut === 0 ? {} : { "remit.calls.left_out": leftOut }),
      };
      const whole = {
        id: run,
        parent: trace.parent,
        name: `remit ${command}`,
        isCall: false,
        start: began,
        end,
      };
      spans.push({ ...whole, attributes, events: [], hasFailed: exitCode !== 0 && exitCode !== 2 });
      return { spans, figures, start: began, end };
    },
  };
}

const CHANGING = ["create", "update", "set", "replace", "delete"] as const satisfies readonly Action[];

/** What a plan shows. What it did not look at has no figure. */
function countPlan(plan: Planned, figures: Figures): void {
  const { mode, steps, state, impact } = plan;
  if (!mode.refreshOnly)
    for (const action of CHANGING) {
      const pending = steps.filter((step) => step.action === action && writes(step));
      figures.set("remit_pending_changes", pending.length, { action });
    }
  if (!mode.offline && state !== null) figures.set("remit_drifted_objects", steps.filter(isDrifted).length);
  if (impact === null) return;
  const { gains, loses } = totalsOf(plan).access;
  for (const [change, { low, high }] of Object.entries({ gain: gains, lose: loses })) {
    figures.set("remit_people", low, { change, bound: "least" });
    if (high !== null) figures.set("remit_people", high, { change, bound: "most" });
  }
}
