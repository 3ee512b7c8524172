import { describe, expect, it } from "vitest";
import { withLastApplied } from "../../src/apply/ending.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Request } from "../../src/plan/request.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { unappliedBefore } from "../../src/plan/since/unapplied.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { automation, plan } from "../report/plans.js";
import { type RequestFields, requestFor } from "./request.js";

const [A, B, C] = ["a", "b", "c"].map((letter) => letter.repeat(40)) as [string, string, string];
const since = (commit: string) => ({ ref: "main", commit, pending: [] });
const state = (recorded?: Snapshot["lastApplied"]): Snapshot => ({
  ...newSnapshot("lineage", "https://tenant.example"),
  ...(recorded === undefined ? {} : { lastApplied: recorded }),
});

/** What a state records after an apply that left nothing; null where it was not saved. */
function recordedBy(made: Partial<Planned>, snapshot: Snapshot | null, manifests: object = {}) {
  const request = requestFor(null, {
    manifests: {
      project: ["manifests"],
      paths: [],
      cwd: "/",
      stdin: async () => new Uint8Array(),
      ...manifests,
    },
  });
  const ended = {
    folder: "eu",
    plan: plan([], made),
    labelled: [],
    placed: [],
    request,
    project: null,
    snapshot,
    lineage: "lineage",
  };
  return withLastApplied(ended)?.lastApplied ?? null;
}

describe("the last commit that was applied completely", () => {
  it("moves on by one merge at a time, and never past a merge that was not applied", () => {
    expect(recordedBy({ commit: B, since: since(A) }, state({ eu: A }))).toEqual({ eu: B });
    expect(recordedBy({ commit: C, since: since(B) }, state({ eu: A }))).toBeNull();
    expect(recordedBy({ commit: C, since: since(B) }, state({ us: A }))).toEqual({ us: A, eu: C });
  });

  it("is the commit of a plan of the whole project, of a first one too", () => {
    expect(recordedBy({ commit: C }, state({ eu: A }))).toEqual({ eu: C });
    expect(recordedBy({ commit: C }, null)).toEqual({ eu: C });
    expect(recordedBy({ commit: C }, state({ eu: C }))).toBeNull();
  });

  it("is not known for a part of the project, and where files differ from the commit", () => {
    expect(recordedBy({ commit: null }, state())).toBeNull();
    expect(recordedBy({ commit: B }, state(), { paths: ["manifests/one.yaml"] })).toBeNull();
    expect(recordedBy({ commit: B }, state(), { project: null })).toBeNull();
  });
});

describe("what was merged and not applied", () => {
  const unapplied = { after: A, commits: [{ commit: B, subject: "Two" }], more: 0 };
  const { mode } = requestFor(null);
  /** What a plan says of it, and what history was asked. */
  async function said(made: Partial<Planned>, snapshot: Snapshot | null, more: RequestFields = {}) {
    const asked: unknown[] = [];
    const mainline: Request["history"]["mainline"] = {
      folder: "eu",
      async after(...about) {
        asked.push(about);
        return unapplied;
      },
    };
    const step = automation({ action: "create" });
    const told = await unappliedBefore(plan([step], made), requestFor(null, { mainline, ...more }), snapshot);
    return [told, asked];
  }

  it("is looked for from the recorded commit to where the change began", async () => {
    expect(await said({}, state({ eu: A }))).toEqual([unapplied, [[A, null]]]);
    expect(await said({ since: since(C) }, state({ eu: A }))).toEqual([unapplied, [[A, C]]]);
  });

  it("is not looked for without a record or without history, and where the whole project is applied", async () => {
    for (const snapshot of [null, state(), state({ us: A })])
      expect(await said({}, snapshot)).toEqual([null, []]);
    expect(await said({}, state({ eu: A }), { mainline: null })).toEqual([null, []]);
    expect(await said({ steps: [] }, state({ eu: A }))).toEqual([null, []]);
    const part = { mode: { ...mode, targets: ["EntitlementAutomation/a"] } };
    expect(await said({ steps: [] }, state({ eu: A }), part)).toEqual([unapplied, [[A, null]]]);
    expect(await said({ steps: [], since: since(C) }, state({ eu: A }))).toEqual([unapplied, [[A, C]]]);
  });

  it("is covered by the seal, and not by the effect", async () => {
    const [one, other] = [hashesOf(plan([])), hashesOf(plan([], { unapplied }))];
    expect(other.effect).toBe(one.effect);
    expect(other.seal).not.toBe(one.seal);
  });
});
