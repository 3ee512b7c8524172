import { describe, expect, it } from "vitest";
import { type Entry, makeLog, type Note } from "../../src/sandbox/log.js";

function note(over: Partial<Note> = {}): Note {
  return {
    time: "2026-01-01T00:00:00.000Z",
    milliseconds: 1,
    client: "token",
    method: "POST",
    path: "/api/v1/apps/a/resource_types",
    query: "",
    operation: "CreateResourceType",
    body: '{"displayName":"Team"}',
    status: 200,
    reached: true,
    written: true,
    delivered: true,
    fault: null,
    ...over,
  };
}

describe("a witness", () => {
  it("keeps the last entries, as many as it may, in the order of outcomes", () => {
    const witness = makeLog(3);
    for (let call = 0; call < 10; call += 1) witness.add(note());
    expect(witness.entries().map((entry) => entry.sequence)).toEqual([8, 9, 10]);
    expect(witness.count({ after: 8 })).toBe(2);
  });

  it("counts creates that it no longer keeps", () => {
    const witness = makeLog(1);
    for (let call = 0; call < 5; call += 1) witness.add(note({ written: call === 0 }));
    expect(witness.creates()).toEqual([{ key: "/api/v1/apps/a/resource_types Team", asked: 5, done: 1 }]);
  });

  it("counts no create that the service never saw, and none by another name", () => {
    const witness = makeLog(10);
    witness.add(note({ reached: false, written: false, status: 503 }));
    witness.add(note({ operation: "UpdateResourceType" }));
    witness.add(note({ operation: null }));
    expect(witness.creates()).toEqual([]);
  });

  it("shows a body as JSON where it is that, else as text", () => {
    const witness = makeLog(10);
    for (const body of ['{"a":1}', "not json", ""]) witness.add(note({ body }));
    expect(witness.entries().map((entry) => entry.body)).toEqual([{ a: 1 }, "not json", ""]);
  });

  it("believes in the delivery until the connection says otherwise, and then tells", () => {
    const told: Entry[] = [];
    const witness = makeLog(10, (entry) => told.push(entry));
    const { settle } = witness.add(note());
    expect([witness.entries()[0]?.delivered, told.length]).toEqual([true, 0]);
    settle(false);
    expect([witness.entries()[0]?.delivered, told.length]).toEqual([false, 1]);
    witness.add(note({ delivered: false })).settle(true);
    expect(witness.count({ delivered: true })).toBe(0);
  });
});
