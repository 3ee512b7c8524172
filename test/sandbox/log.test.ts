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

describe("a log", () => {
  it("keeps the last entries, as many as it may, in the order of outcomes", () => {
    const log = makeLog(3);
    for (let call = 0; call < 10; call += 1) log.add(note());
    expect(log.entries().map((entry) => entry.sequence)).toEqual([8, 9, 10]);
    expect(log.count({ after: 8 })).toBe(2);
  });

  it("counts creates that it no longer keeps", () => {
    const log = makeLog(1);
    for (let call = 0; call < 5; call += 1) log.add(note({ written: call === 0 }));
    expect(log.creates()).toEqual([{ key: "/api/v1/apps/a/resource_types Team", asked: 5, done: 1 }]);
  });

  it("counts no create that the service never saw, and none by another name", () => {
    const log = makeLog(10);
    log.add(note({ reached: false, written: false, status: 503 }));
    log.add(note({ operation: "UpdateResourceType" }));
    log.add(note({ operation: null }));
    expect(log.creates()).toEqual([]);
  });

  it("shows a body as JSON where it is that, else as text", () => {
    const log = makeLog(10);
    for (const body of ['{"a":1}', "not json", ""]) log.add(note({ body }));
    expect(log.entries().map((entry) => entry.body)).toEqual([{ a: 1 }, "not json", ""]);
  });

  it("believes in the delivery until the connection says otherwise, and then tells", () => {
    const told: Entry[] = [];
    const log = makeLog(10, (entry) => told.push(entry));
    const { end } = log.add(note());
    expect([log.entries()[0]?.delivered, told.length]).toEqual([true, 0]);
    end(false);
    expect([log.entries()[0]?.delivered, told.length]).toEqual([false, 1]);
    log.add(note({ delivered: false })).end(true);
    expect(log.count({ delivered: true })).toBe(0);
  });
});
