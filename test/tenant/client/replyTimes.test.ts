import { expect, test } from "vitest";
import { makeReplyTimes, type Sort } from "../../../src/tenant/client/replyTimes.js";

type Heard = readonly (readonly [sort: Sort, milliseconds: number, times?: number])[];

test.each<readonly [string, number | null, Heard]>([
  ["nothing is known before the first reply", null, []],
  ["the token's reply, before all others", 90, [["token", 90]]],
  [
    "a list bounds the token's reply, which may come late",
    60,
    [
      ["token", 90],
      ["page", 60],
    ],
  ],
  [
    "the token's reply bounds lists, which are slow",
    40,
    [
      ["token", 40],
      ["page", 400, 20],
    ],
  ],
  [
    "an object counts before lists",
    50,
    [
      ["page", 90, 11],
      ["object", 50],
    ],
  ],
  [
    "lists bound the first objects, which may be slow",
    90,
    [
      ["page", 90, 11],
      ["object", 800, 2],
    ],
  ],
  [
    "many objects count alone",
    120,
    [
      ["page", 90, 11],
      ["object", 120, 10],
    ],
  ],
  [
    "of many, the middle one counts",
    50,
    [
      ["object", 900, 5],
      ["object", 50, 20],
    ],
  ],
  [
    "of many, the last hundred count",
    50,
    [
      ["object", 900, 500],
      ["object", 50, 60],
    ],
  ],
])("%s", (_, typical, replies) => {
  const times = makeReplyTimes();
  for (const [sort, milliseconds, count = 1] of replies)
    for (let place = 0; place < count; place += 1) times.heard(sort, milliseconds);
  expect(times.typical()).toBe(typical);
});
