import { describe, expect, it } from "vitest";
import { underLock } from "../../src/apply/underLock.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { StateError, type Store } from "../../src/state/store.js";
import { owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";

const address = { kind: "ResourceType", name: "one" };
const HEAD = {
  type: "run",
  formatVersion: 1,
  run: "run",
  server: "server",
  lineage: "lineage",
  serial: 0,
  effect: "sha256:1",
};
const INTENDED = {
  type: "intended",
  address,
  action: "create",
  key: null,
  identity: {},
  applied: {},
  protected: false,
  background: {},
  step: "",
  call: 0,
  of: 1,
  once: true,
};
const FINISHED = {
  type: "step finished",
  address,
  action: "create",
  outcome: "done",
  step: null,
  key: ["app", "one"],
  record: { applied: {}, answered: null, rewritten: [], protected: false },
  diagnostics: [],
};
const line = (value: object) => JSON.stringify({ at: "2026-11-23T10:00:00.000Z", ...value });

/** A store that takes everything but the end of a run. */
function storeThatEndsBadly(): Store {
  const store = memoryStore(memoryContents(), handClock());
  return {
    ...store,
    async lock(by, waiting) {
      const lock = await store.lock(by, waiting);
      return {
        ...lock,
        release: async () =>
          new StateError({
            code: "state/unreachable",
            severity: "error",
            message: "the store is away",
            hint: "Wait.",
          }),
      };
    },
  };
}

async function run(end: () => unknown) {
  const kept: string[] = [];
  const rescue = {
    keep: async (text: string) => {
      kept.push(text);
      return "/home/rescue.json";
    },
    drop: async () => undefined,
  };
  const signal = new AbortController().signal;
  const asking = { owner: owner("one"), timeout: 0, signal, run: "run", rescue, told: () => undefined };
  const done = underLock(storeThatEndsBadly(), { ...asking, isLazy: false }, async (lock) => {
    lock.journal.note(line(HEAD));
    await lock.journal.append(line(INTENDED));
    lock.journal.note(line(FINISHED));
    throw end();
  });
  const error = await done.then(
    () => null,
    (why: unknown) => why,
  );
  return { error, kept };
}

describe("work under a lock that throws, with answers that the store does not take", () => {
  it("says where the answers are in what it throws", async () => {
    const { error, kept } = await run(
      () =>
        new StateError(
          { code: "state/lock-lost", severity: "error", message: "another run has it", hint: "Wait." },
          { cause: null, refusal: "held" },
        ),
    );
    expect(error).toBeInstanceOf(StateError);
    expect(error).toMatchObject({ refusal: "held", diagnostic: { code: "state/lock-lost" } });
    expect((error as StateError).diagnostic.hint).toMatch(/^Wait\. .* they are in \/home\/rescue\.json\./);
    expect(kept.join("")).toContain("step finished");
  });

  it("keeps the answers of a bug, too, and leaves the bug as it is", async () => {
    const bug = new Error("a bug");
    const { error, kept } = await run(() => bug);
    expect(error).toBe(bug);
    expect(kept.join("")).toContain("step finished");
  });
});
