import { expect, it } from "vitest";
import { pendingId } from "../../src/model/pending.js";
import { readPeople } from "../../src/tenant/people.js";
import type { Reader } from "../../src/tenant/reader.js";

it("knows without a call that no one holds an entitlement that the plan creates", async () => {
  const reader = new Proxy({} as Reader, {
    get(_, name) {
      throw new Error(`asked ${String(name)}`);
    },
  });
  const people = readPeople(reader, 10);
  const ref = { appId: "app", id: pendingId({ kind: "Entitlement", name: "member" }) };
  expect(await people.held([ref])).toEqual(new Map());
  expect(await people.holders(ref)).toEqual(new Map());
  expect(await people.whoHold(ref, ["ann", "ben"])).toEqual(
    new Map([
      ["ann", false],
      ["ben", false],
    ]),
  );
  expect(await people.excluded(ref)).toEqual(new Set());
});
