import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import type { Session } from "../../src/apply/session.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { sessionScene } from "../apply/sessionScene.js";

/** Two checkouts with two states create the same type at the same time: the service makes both. */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const TEXT = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: ${APP}, displayName: Team, resourceType: CUSTOM }
`;

const OTHER = APP.replace("2", "3");
const IN_TWO = `${TEXT}---\n${TEXT.replace("name: team", "name: crew").replace(APP, OTHER)}`;

async function begin() {
  const apps = [APP, OTHER].map((id) => ({ id, displayName: id }));
  const scene = await sessionScene("full", { sandbox: { tenant: { ...EMPTY_TENANT, open: false, apps } } });
  const other: Session = { ...scene.session, store: memoryStore(memoryContents(), scene.session.clock) };
  return { ...scene, sessions: [scene.session, other] as const };
}

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

/** Both plan before either applies; the second one applies at the same time, or after the first has ended. */
async function race(how: "at once" | "one by one", text = TEXT, refused: readonly string[] = []) {
  const scene = await begin();
  const first = gate();
  const second = gate();
  const ended = gate();
  const request = scene.request(text);
  const both = await Promise.all([
    apply(
      scene.order(request, {
        review: async () => {
          first.resolve();
          await second.promise;
          return true;
        },
      }),
      scene.sessions[0],
    ).finally(ended.resolve),
    apply(
      scene.order(request, {
        review: async () => {
          second.resolve();
          await first.promise;
          const error = { fault: "error", status: 403 } as const;
          const rules = refused.map((operation) => ({ ...error, operation }));
          scene.sandbox.faults.set({ seed: 1, rules });
          if (how === "one by one") await ended.promise;
          return true;
        },
      }),
      scene.sessions[1],
    ),
  ]);
  const ids = [...scene.sandbox.store.resourceTypes.of(APP)]
    .filter(({ displayName }) => displayName === "Team")
    .map(({ id }) => id);
  return { ...scene, both, ids };
}

describe("two checkouts that create one type", () => {
  it.each(["at once", "one by one"] as const)("are never silent: %s", async (how) => {
    const { both, ids, sessions, request } = await race(how);
    expect(ids).toHaveLength(2);
    const reports = both.flatMap((result) => (result.as === "applied" ? result.summary.notable : []));
    expect(reports.length).toBeGreaterThan(0);
    for (const { outcome, diagnostics } of reports) {
      expect([outcome, diagnostics.map(({ code }) => code)]).toEqual(["failed", ["apply/same-name"]]);
      for (const id of ids) expect(diagnostics[0]?.message).toContain(id);
    }
    expect(both.at(-1)).toMatchObject({ summary: { outcomes: { done: 0, failed: 1 } } });
    for (const session of sessions) {
      const { value } = await plan(request(TEXT), session);
      expect(value?.steps).toMatchObject([
        { action: "keep", diagnostics: [{ code: "reference/remembered", severity: "warning" }] },
      ]);
    }
  });

  it.each([
    ["one search of both apps", []],
    ["the list of each, where the search is refused", ["SearchAppResourceTypes"]],
  ] as const)("are found in two apps by %s", async (_, refused) => {
    const { both } = await race("one by one", IN_TWO, refused);
    expect(both.at(-1)).toMatchObject({ summary: { outcomes: { done: 0, failed: 2 } } });
    const notable = both.flatMap((result) => (result.as === "applied" ? result.summary.notable : []));
    const codes = notable.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    expect(codes).toEqual(["apply/same-name", "apply/same-name"]);
  });

  it("is said where the look itself fails", async () => {
    const { sandbox, order, request, session } = await begin();
    const review = async () => {
      sandbox.faults.set({
        seed: 1,
        rules: [{ fault: "error", status: 403, operation: "ListResourceTypes" }],
      });
      return true;
    };
    const result = await apply(order(request(TEXT), { review }), session);
    expect(result).toMatchObject({
      summary: {
        outcomes: { done: 1, failed: 0 },
        notable: [{ outcome: "done", diagnostics: [{ code: "apply/not-looked" }] }],
      },
    });
  });

  it("are silent where only one of them creates", async () => {
    const { order, request, session, sandbox } = await begin();
    const before = sandbox.log.count({ operation: "ListResourceTypes" });
    const more = TEXT.replace("name: team", "name: squad").replace("displayName: Team", "displayName: Squad");
    const result = await apply(order(request(`${TEXT}---\n${more}`)), session);
    expect(result).toMatchObject({ summary: { outcomes: { done: 2, failed: 0 }, notable: [] } });
    expect(sandbox.log.count({ operation: "ListResourceTypes" }) - before).toBe(2);
  });
});
