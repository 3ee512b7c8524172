import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DoneStep, nextRecord, placedAgain, readRecord, withValues } from "../../src/apply/runRecord.js";
import type { Json } from "../../src/model/json.js";
import { dayOf, daysBefore } from "../../src/state/encryption/texts.js";
import { type HistoryHead, type KeptRecord, partsOf } from "../../src/state/record.js";
import { cases } from "../fakes/cases.js";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 6, 1);

function step(before: Json, after: Json): DoneStep {
  const address = { kind: "Webhook", name: "one" };
  const common = { address, key: ["id"], action: "update", outcome: "done", requests: [], fields: ["url"] };
  const object = (value: Json) => (value === null ? null : value === "not seen" ? "unknown" : { url: value });
  return { ...common, before: object(before), after: object(after) } as DoneStep;
}

function record(
  last: HistoryHead | undefined,
  run: string,
  steps: readonly DoneStep[],
  at: number,
  days: number | null,
) {
  const made = {
    run,
    as: "apply" as const,
    at: new Date(at).toISOString(),
    clock: "service" as const,
    server: "https://tenant.example",
    project: null,
    pullRequest: null,
    commit: null,
    effect: { expected: null, applied: null },
    by: { host: "here", user: null, job: null, command: "apply" },
    steps,
    unwritten: [],
  };
  const keeping = days === null ? null : { day: dayOf(at), forgetBefore: daysBefore(at, days) };
  return nextRecord(last, made, keeping);
}

/** The values that a kept record shows with that end of its history; null where it shows none. */
function shown({ text }: Pick<KeptRecord, "text">, head: HistoryHead): Json {
  const { record, texts } = partsOf(text);
  const read = readRecord(record);
  if (read === null) throw new Error("not a record");
  const values = withValues(read, texts, head).steps[0]?.fields[0]?.values;
  return (values as Json | undefined) ?? null;
}

const value = fc.oneof(
  fc.constantFrom(null, "not seen"),
  fc.string({ minLength: 12 }).map((text) => `secret ${text}`),
  fc.json().map((text) => ({ text: "secret", one: JSON.parse(text) as Json })),
);
const run = fc.record({
  later: fc.integer({ min: -3, max: 300 }),
  days: fc.option(fc.integer({ min: 1, max: 500 }), { freq: 8 }),
  before: value,
  after: value,
});

type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

describe("texts of values in a history", () => {
  it("are those of the run for the days that they are kept, and no key opens them after that", () => {
    const law = (runs: readonly Run[]) => {
      let head: HistoryHead | undefined;
      let time = START;
      /** What was kept, by its day; a run that keeps none forgets all. */
      let kept: { day: string; of: KeptRecord; values: Json }[] = [];
      const all: KeptRecord[] = [];
      for (const [at, { later, days, before, after }] of runs.entries()) {
        time += later * DAY;
        const earliest: string = head?.texts?.from ?? "";
        const made = record(head, `run ${at}`, [step(before, after)], time, days);
        head = made.head;
        all.push(made.kept);
        if (days === null) kept = [];
        else {
          const day = [dayOf(time), earliest].sort().at(-1) ?? "";
          const first = daysBefore(time, days);
          const isSeen = (one: Json) => one !== null && one !== "not seen";
          const values = { ...(isSeen(before) && { before }), ...(isSeen(after) && { after }) };
          kept = [...kept, { day, of: made.kept, values }].filter((one) => one.day >= first);
        }
        for (const one of all) {
          const found = kept.find(({ of }) => of === one);
          expect(shown(one, head)).toEqual(found?.values ?? null);
          expect(one.text).not.toContain("secret");
        }
      }
    };
    fc.assert(fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), law), { numRuns: cases(100) });
  });

  it("are not had back with the key of a later day, nor for another run", () => {
    const first = record(undefined, "first", [step("a", "b")], START, 400);
    const second = record(first.head, "second", [step("b", "c")], START + 500 * DAY, 400);
    expect(shown(first.kept, first.head)).toEqual({ before: "a", after: "b" });
    expect(shown(first.kept, second.head)).toBeNull();
    const { texts } = partsOf(first.kept.text);
    const other = { text: `${partsOf(second.kept.text).record}\n${texts}` };
    expect(shown(other, first.head)).toBeNull();
  });

  it("are not shown where the record has the hash of another value", () => {
    const { head, kept } = record(undefined, "first", [step("a", "b")], START, 400);
    const other = record({ ...head, texts: undefined as never }, "first", [step("a", "c")], START, null);
    const { texts } = partsOf(kept.text);
    expect(shown({ text: `${partsOf(other.kept.text).record}\n${texts}` }, head)).toBeNull();
  });

  it("come along where a record is placed again", () => {
    const first = record(undefined, "first", [step("a", "b")], START, 400);
    const lost = record(first.head, "second", [step("b", "c")], START + DAY, 400);
    const third = record(first.head, "third", [step("b", "d")], START + DAY, 400);
    const { record: text, texts } = partsOf(lost.kept.text);
    const read = readRecord(text);
    if (read === null) throw new Error("not a record");
    const again = placedAgain(third.head, read, texts);
    expect(shown(again.kept, again.head)).toEqual({ before: "b", after: "c" });
  });
});
