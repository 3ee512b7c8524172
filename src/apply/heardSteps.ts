import type { Change } from "../diff/change.js";
import { type Address, formatAddress } from "../model/address.js";
import type { JsonObject } from "../model/json.js";
import type { Plan } from "../plan/plan.js";
import { isWriting } from "../plan/saved/effect.js";
import type { Step } from "../plan/step.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Event, Recorder } from "./event.js";
import { readJournal } from "./journal/journal.js";
import { readLine } from "./journal/line.js";
import type { SettledWrite } from "./journal/recover.js";
import type { DoneStep, UnwrittenStep } from "./runRecord.js";

/** Hears an apply for its record. */
export interface HeardSteps {
  /** Hears every event, and gives it on. */
  readonly listener: Recorder;
  /** The steps that sent something, or may have, and those that the state has recorded; none where there is none. */
  readonly steps: (plan: Plan) => readonly DoneStep[];
  /** The other steps of the plan that write. */
  readonly unwritten: (plan: Plan) => readonly UnwrittenStep[];
}

/** Begins to hear what a listener is given. */
export function hearSteps(listener: Recorder): HeardSteps {
  const intended = new Map<string, JsonObject>();
  const ended = new Map<string, Extract<Event, { readonly type: "step finished" }>>();
  const requests = new Map<string, string[]>();

  /** What a step sent, or the state has recorded of it; null for nothing. */
  function appliedBy(name: string): JsonObject | null {
    const end = ended.get(name);
    // What an apply only records changes the state, too.
    const isRecorded = end?.outcome === "done" && end.step !== null;
    return intended.get(name) ?? (isRecorded ? (end.record?.applied ?? {}) : null);
  }

  return {
    async listener(event) {
      if (event.type === "intended") intended.set(formatAddress(event.address), event.applied);
      if (event.type === "answered" && event.requestId !== undefined) {
        const name = formatAddress(event.address);
        requests.set(name, [...(requests.get(name) ?? []), event.requestId]);
      }
      if (event.type === "step finished") ended.set(formatAddress(event.address), event);
      await listener(event);
    },
    steps: (plan) =>
      plan.steps.flatMap((step) => {
        const name = formatAddress(step.address);
        const applied = appliedBy(name);
        return applied === null ? [] : [doneStep(step, applied, ended.get(name), requests.get(name) ?? [])];
      }),
    unwritten: (plan) =>
      plan.steps.filter(isWriting).flatMap(({ address, action }) => {
        const name = formatAddress(address);
        if (appliedBy(name) !== null) return [];
        return [{ address: name, action, outcome: ended.get(name)?.outcome ?? "left" }];
      }),
  };
}

function doneStep(
  step: Step,
  applied: JsonObject,
  ended: Extract<Event, { readonly type: "step finished" }> | undefined,
  requests: readonly string[],
): DoneStep {
  const { address, action, before, after, changes } = step;
  const { exists } = step.sight;
  const outcome = ended?.outcome ?? "uncertain";
  const isSeen = before !== null || exists === "no";
  const changed = [...new Set(changes.flatMap(({ change }) => fieldsOf(change)))];
  const isWhole = action === "create" || action === "delete";
  return {
    address,
    key: ended?.key ?? step.key,
    action,
    outcome,
    requests,
    before: isSeen ? before : "unknown",
    after: outcome === "done" ? (ended?.record?.applied ?? after) : "unknown",
    fields:
      isWhole || changed.length === 0 ? Object.keys(action === "delete" ? (before ?? {}) : applied) : changed,
  };
}

/** The fields directly under `spec` that a change is about: of another choice there, both members. */
function fieldsOf(change: Change): readonly string[] {
  const [field] = change.path;
  if (field !== undefined || change.type !== "choice") return [String(field ?? "")];
  return [change.from, change.to].flatMap((member) => (member === null ? [] : [member]));
}

/** The steps of a run that was cut off, by its journal and by what was found out about its open writes. */
export function stepsOfJournal(
  journal: readonly string[],
  settled: readonly SettledWrite[],
  snapshot: Snapshot | null,
): readonly DoneStep[] {
  const { ended, pending } = readJournal(journal);
  const found = new Map(settled.map((one) => [formatAddress(one.address), one]));
  const answered = journal.map(readLine).filter((line) => line?.type === "answered");
  const requestsOf = (address: Address) =>
    answered.flatMap((line) =>
      line.requestId !== undefined && formatAddress(line.address) === formatAddress(address)
        ? [line.requestId]
        : [],
    );
  const before = (name: string): DoneStep["before"] =>
    Object.values(snapshot?.entries ?? {}).find((entry) => formatAddress(entry.address) === name)?.applied ??
    "unknown";
  return [
    ...ended.map(({ ended: { address, key, action, outcome, record } }) => ({
      address,
      key,
      action,
      outcome,
      requests: requestsOf(address),
      before: action === "create" ? null : before(formatAddress(address)),
      after: record?.applied ?? (action === "delete" && outcome === "done" ? null : ("unknown" as const)),
      fields: Object.keys(record?.applied ?? {}),
    })),
    ...pending.map(({ intended: { address, key, action, applied } }) => {
      const as = found.get(formatAddress(address))?.as ?? "uncertain";
      return {
        address,
        key,
        action,
        outcome: as,
        requests: requestsOf(address),
        before: action === "create" ? null : before(formatAddress(address)),
        after: as === "done" ? applied : ("unknown" as const),
        fields: Object.keys(applied),
      };
    }),
  ];
}
