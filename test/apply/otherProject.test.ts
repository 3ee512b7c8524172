import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import type { MemoryContents } from "../../src/state/memory.js";
import { failure } from "../contracts/store.js";
import { sessionScene } from "./sessionScene.js";

/** Two projects keep their state at one address. */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const type = (name: string) => `apiVersion: remit/v1
kind: ResourceType
metadata: { name: ${name} }
spec: { appId: ${APP}, displayName: ${name}, resourceType: CUSTOM }
`;
const both = (...names: readonly string[]) => names.map(type).join("---\n");

async function scene() {
  const apps = [{ id: APP, displayName: "GitHub" }];
  const made = await sessionScene("full", { sandbox: { tenant: { ...EMPTY_TENANT, open: false, apps } } });
  const types = () =>
    [...made.sandbox.store.resourceTypes.of(APP)]
      .map(({ displayName }) => displayName)
      .filter((name) => name !== "Credential")
      .sort();
  const requestOf = (project: string | null, text: string, prune = false) => {
    const request = made.request(text);
    return {
      ...request,
      project: { ...request.project, name: project },
      mode: { ...request.mode, prune, cascade: prune ? ["ResourceType/one", "ResourceType/two"] : [] },
    };
  };
  const applied = (project: string | null, text: string, prune = false, more = {}) =>
    apply(made.order(requestOf(project, text, prune), more), made.session);
  return { ...made, types, requestOf, applied };
}

/** The state as an older remit left it. */
function forgetName(contents: MemoryContents): void {
  if (contents.snapshot === null) return;
  const { project: _, ...older } = contents.snapshot;
  contents.snapshot = older;
}

describe("a state of another project", () => {
  it("is refused, and nothing of it is read into a plan or deleted", async () => {
    const { applied, requestOf, session, types, contents } = await scene();
    expect((await applied("acme/one", type("one"))).as).toBe("applied");
    expect(contents.snapshot?.project).toBe("acme/one");
    for (const project of ["acme/two", null]) {
      expect((await failure(applied(project, type("two"), true))).diagnostic.code).toBe(
        "state/other-project",
      );
      expect((await failure(plan(requestOf(project, type("two")), session))).diagnostic.code).toBe(
        "state/other-project",
      );
    }
    expect(types()).toEqual(["one"]);
    expect((await applied("acme/one", type("one"))).as).toBe("unchanged");
  });

  it("is refused where a first run of it was killed, too", async () => {
    const { applied, contents } = await scene();
    await applied("acme/one", type("one"));
    const head = {
      at: "2026-01-01T00:00:00Z",
      type: "run",
      formatVersion: 1,
      run: "r",
      server: "s",
      lineage: "l",
      serial: 0,
      effect: "e",
    };
    contents.snapshot = null;
    contents.journal.push(JSON.stringify({ ...head, project: "acme/one" }));
    expect((await failure(applied("acme/two", type("two")))).diagnostic.code).toBe("state/other-project");
  });
});

describe("a state that names no project", () => {
  it("takes the name at the next apply, which removes nothing", async () => {
    const { applied, contents, types } = await scene();
    await applied(null, type("one"));
    expect(contents.snapshot?.project).toBeUndefined();
    expect(await applied("acme/one", type("one"), true)).toMatchObject({
      as: "refused",
      by: "check",
      diagnostics: [{ code: "state/unnamed", severity: "error" }],
    });
    const unchanged = await applied("acme/one", type("one"));
    expect(unchanged).toMatchObject({ as: "unchanged", diagnostics: [{ code: "state/takes-name" }] });
    expect(contents.snapshot?.project).toBe("acme/one");
    expect(types()).toEqual(["one"]);
  });

  it("takes it with what an apply writes, and keeps it", async () => {
    const { applied, contents } = await scene();
    await applied(null, type("one"));
    expect((await applied("acme/one", both("one", "two"))).as).toBe("applied");
    expect(contents.snapshot?.project).toBe("acme/one");
    expect((await applied("acme/one", both("one", "two"))).as).toBe("unchanged");
  });

  it("that has objects without a manifest here stops an apply, until a person says whose it is", async () => {
    const { applied, contents, types, requestOf, session } = await scene();
    await applied(null, type("one"));
    const refused = await applied("acme/two", type("two"));
    expect(refused).toMatchObject({ as: "refused", by: "check" });
    expect(refused.diagnostics.at(-1)).toMatchObject({ code: "state/unnamed", severity: "error" });
    expect(refused.diagnostics.at(-1)?.message).toContain("ResourceType/one");
    const shown = await plan(requestOf("acme/two", type("two")), session);
    expect(shown.diagnostics).toContainEqual(
      expect.objectContaining({ code: "state/unnamed", severity: "warning" }),
    );
    const asked: string[] = [];
    const agreed = await applied("acme/two", type("two"), false, {
      asksAboutIntent: true,
      review: async ({ foreign }: { foreign: readonly { code: string }[] }) => {
        asked.push(...foreign.map(({ code }) => code));
        return true;
      },
    });
    expect(asked).toEqual(["state/unnamed"]);
    expect(agreed.as).toBe("applied");
    expect(contents.snapshot?.project).toBe("acme/two");
    expect(types()).toEqual(["one", "two"]);
  });

  it("does not take it from an apply of a part of the project", async () => {
    const { applied, contents, order, requestOf, session } = await scene();
    await applied("acme/one", both("one", "two"));
    forgetName(contents);
    const request = requestOf("acme/one", both("one", "two"));
    const part = { ...request, mode: { ...request.mode, targets: ["ResourceType/one"] } };
    expect((await apply(order(part), session)).as).toBe("unchanged");
    expect(contents.snapshot?.project).toBeUndefined();
  });

  it("leaves what `removed:` decides for a later apply", async () => {
    const { contents, order, requestOf, applied, session, types } = await scene();
    await applied("acme/one", both("one", "two"));
    forgetName(contents);
    const request = requestOf("acme/one", type("two"));
    const removal = { address: "ResourceType/one", key: null, decision: "delete", span: null } as const;
    const removals = { decisions: [removal], isPruneStanding: false };
    const result = await apply(order({ ...request, project: { ...request.project, removals } }), session);
    expect(result).toMatchObject({ as: "refused", by: "check" });
    expect(types()).toEqual(["one", "two"]);
  });
});
