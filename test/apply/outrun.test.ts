import { describe, expect, it } from "vitest";
import { apply } from "../../src/apply/run.js";
import type { Lock, Store } from "../../src/state/store.js";
import { StateError } from "../../src/state/store.js";
import { say } from "../../src/words/say.js";
import { owner } from "../contracts/store.js";
import { automation, sessionScene } from "./sessionScene.js";

/** A store whose first write acquires its first lock. Before that write, another run does its work. */
function outrun(store: Store, other: () => Promise<unknown>): Store {
  let isFirst = true;
  const lost = new AbortController();
  const lose = async (): Promise<never> => {
    if (!lost.signal.aborted) await other();
    lost.abort(new StateError(say("state/not-acquired", { name: store.name }), { refusal: "held" }));
    throw lost.signal.reason;
  };
  const late: Lock = {
    owner: owner("late"),
    lost: lost.signal,
    confirm: lose,
    save: lose,
    append: lose,
    journal: { append: lose, note: () => undefined, clear: lose },
    release: async () => lost.signal.reason ?? null,
  };
  return {
    ...store,
    async lock(asked, waiting) {
      if (waiting.isLazy !== true || !isFirst) return store.lock(asked, waiting);
      isFirst = false;
      return late;
    },
  };
}

describe("an apply that another run was faster than", () => {
  it("plans anew under the lock, and creates nothing twice", async () => {
    const { session, order, request, writes, contents } = await sessionScene();
    const asked = request(automation("one"));
    const heard: string[] = [];
    const store = outrun(session.store, () => apply(order(asked), session));
    const listener = async ({ type }: { readonly type: string }) => void heard.push(type);
    const result = await apply(order(asked, { listener }), { ...session, store });
    expect(result.as).toBe("unchanged");
    expect(result.diagnostics.map(({ code }) => code)).toContain("state/planned-again");
    expect([writes(), heard]).toEqual([1, []]);
    expect(contents.journal).toEqual([]);
  });

  it("applies what is left", async () => {
    const { session, order, request, writes } = await sessionScene();
    const one = automation("one");
    const store = outrun(session.store, () => apply(order(request(one)), session));
    const heard: string[] = [];
    const listener = async ({ type }: { readonly type: string }) => void heard.push(type);
    const both = request(`${one}---\n${automation("two", undefined, 2)}`);
    const result = await apply(order(both, { listener }), { ...session, store });
    expect(result).toMatchObject({ as: "applied", fault: null, rescue: null });
    expect([writes(), heard.filter((type) => type === "run started")]).toEqual([2, ["run started"]]);
  });
});
