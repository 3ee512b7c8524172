import { expect, it } from "vitest";
import { makeAdmission } from "../../../../src/tenant/client/pace/pace.js";
import { handClock } from "../../../fakes/handClock.js";

it("serves a request that comes in the moment in which the queue has become empty", async () => {
  const started: number[] = [];
  const admission = makeAdmission(handClock(), {
    earliest: () => 0,
    start: (now) => started.push(now),
  });
  await Promise.all([admission.wait(), admission.wait()]);
  expect(started).toHaveLength(2);
});
