import { expect, test } from "vitest";
import { makePostponed } from "../../../src/sandbox/answer/postponed.js";
import { fakeClock } from "../../fakes/clock.js";

test("what was put off is done by time, by count or at the end, in order and once", () => {
  const clock = fakeClock();
  const postponed = makePostponed(clock);
  const done: string[] = [];
  postponed.add({ milliseconds: 50 }, () => done.push("time"));
  postponed.add({ requests: 2 }, () => done.push("count"));
  postponed.add({}, () => done.push("end"));
  postponed.byTime();
  postponed.beforeRequest();
  expect(done).toEqual([]);
  postponed.beforeRequest();
  expect(done).toEqual(["count"]);
  clock.advance(50);
  postponed.byTime();
  expect(done).toEqual(["count", "time"]);
  postponed.finish();
  postponed.finish();
  expect(done).toEqual(["count", "time", "end"]);
  postponed.add({ milliseconds: 0 }, () => done.push("never"));
  postponed.clear();
  postponed.finish();
  expect(done).toHaveLength(3);
});
