import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { line } from "../plan/worlds.js";
import type { RequestFields } from "./request.js";
import { type SessionScene, sessionScene } from "./sessionScene.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const [ONE, TWO] = ["2fsgTvxP0DVTsNXEUBI7hOe0l1X", "2fsgTvxP0DVTsNXEUBI7hOe0l2X"] as const;
const OFFLINE = {
  offline: true,
  refreshOnly: false,
  prune: false,
  cascade: [],
  targets: [],
  selector: null,
};

const type = (name: string, displayName: string, more = "resourceType: CUSTOM", app = APP) =>
  `apiVersion: remit/v1
kind: ResourceType
metadata: { name: ${name} }
spec: { appId: ${app}, displayName: ${displayName}, ${more} }
---
`;

async function begin(text = ""): Promise<SessionScene> {
  const apps = [{ id: APP, displayName: "GitHub" }];
  const scene = await sessionScene("full", { sandbox: { tenant: { ...EMPTY_TENANT, open: false, apps } } });
  if (text !== "") expect(await applied(scene, text)).toBe("applied");
  return scene;
}

async function applied(scene: SessionScene, text: string, more: RequestFields = {}): Promise<string> {
  return (await apply(scene.order(scene.request(text, more)), scene.session)).as;
}

/** The steps of a plan, or the codes of the errors that leave none. */
async function planned(scene: SessionScene, text: string, more: RequestFields = {}) {
  const { value, diagnostics } = await plan(scene.request(text, more), scene.session);
  return value === null ? diagnostics.map(({ code }) => code) : value.steps.map(line);
}

/** The types of the app, but for the one that every app has. */
const names = ({ sandbox }: SessionScene) =>
  [...sandbox.store.resourceTypes.of(APP)]
    .map(({ displayName }) => displayName)
    .filter((one) => one !== "Credential");

function rename({ sandbox }: SessionScene, from: string, to: string): string {
  const row = [...sandbox.store.resourceTypes.of(APP)].find(({ displayName }) => displayName === from);
  if (row === undefined) throw new Error("no type");
  sandbox.store.resourceTypes.put(APP, row.id, { ...row, displayName: to });
  return row.id;
}

function add({ sandbox }: SessionScene, id: string, displayName: string): void {
  sandbox.store.resourceTypes.put(APP, id, { appId: APP, id, displayName, resourceType: "CUSTOM" });
}

const forgetState = ({ contents }: SessionScene) => Object.assign(contents, { snapshot: null });

describe("two manifests without ids for one type", () => {
  it.each([
    ["with one spelling of the app", type("a", "Team") + type("b", "Team"), "manifest/duplicate-key"],
    [
      "where one has an id",
      type("a", "Team", `id: 2fsgTvxP0DVTsNXEUBI7hOe0l5Z`) + type("b", "Team"),
      "manifest/duplicate-key",
    ],
    [
      "with the app by its id and by its name",
      type("a", "Team") + type("b", "Team", "resourceType: CUSTOM", "{ name: GitHub }"),
      "plan/same-object",
    ],
  ])("are an error that shows both places: %s", async (_, text, code) => {
    const scene = await begin();
    for (const mode of [undefined, { mode: OFFLINE }]) {
      if (code === "plan/same-object" && mode !== undefined) continue;
      const { value, diagnostics } = await plan(scene.request(text, mode ?? {}), scene.session);
      expect(value).toBeNull();
      expect(diagnostics).toMatchObject([{ code, span: {}, related: [{ span: {} }] }]);
    }
    expect(await applied(scene, text)).toBe("refused");
    expect(names(scene)).toEqual([]);
  });

  it("are two types where both have an id", async () => {
    const scene = await begin();
    add(scene, ONE, "Team");
    add(scene, TWO, "Team");
    const both = type("a", "Team", `id: ${ONE}`) + type("b", "Team", `id: ${TWO}`);
    expect(await applied(scene, both)).toBe("applied");
  });
});

describe("a type without an id", () => {
  it("is renamed where its manifest was edited, with a state and offline", async () => {
    const scene = await begin(type("team", "Team"));
    const edited = type("team", "Squad");
    expect(await planned(scene, edited, { mode: OFFLINE })).toEqual(["update ResourceType/team: differs"]);
    expect(await applied(scene, edited)).toBe("applied");
    expect(names(scene)).toEqual(["Squad"]);
  });

  it("gets its name back where it was renamed in the tenant, with a state", async () => {
    const scene = await begin(type("team", "Team"));
    rename(scene, "Team", "Squad");
    expect(await applied(scene, type("team", "Team"))).toBe("applied");
    expect(names(scene)).toEqual(["Team"]);
  });

  it.each([
    ["its manifest was edited", type("team", "Squad"), null],
    ["it was renamed in the tenant", type("team", "Team"), "Squad"],
  ])("is not created again without a state where %s: remit asks for the id", async (_, text, renamed) => {
    const scene = await begin(type("team", "Team"));
    if (renamed !== null) rename(scene, "Team", renamed);
    const [before] = names(scene);
    forgetState(scene);
    const { value } = await plan(scene.request(text), scene.session);
    const [step] = value?.steps ?? [];
    expect([step?.action, step?.reason]).toEqual(["blocked", "may exist"]);
    const [row] = [...scene.sandbox.store.resourceTypes.of(APP)].filter(
      ({ displayName }) => displayName === before,
    );
    expect(step?.diagnostics).toMatchObject([
      { code: "plan/may-exist", severity: "error", hint: expect.stringContaining(row?.id ?? "") },
    ]);
    await applied(scene, text);
    expect(names(scene)).toEqual([before]);
    forgetState(scene);
    const { value: offline } = await plan(scene.request(text, { mode: OFFLINE }), scene.session);
    expect(offline?.findings).toMatchObject([{ guard: "unknown-current" }]);
  });

  it.each([
    ["its manifest was edited", type("team", "Squad"), null],
    ["it was renamed in the tenant", type("team", "Team"), "Squad"],
  ])("is not created again by a state that began without it where %s", async (_, text, renamed) => {
    const scene = await begin(type("team", "Team"));
    if (renamed !== null) rename(scene, "Team", renamed);
    const [before] = names(scene);
    forgetState(scene);
    const project = text + type("role", "Role");
    const targets = ["ResourceType/role"];
    const mode = { ...OFFLINE, offline: false, targets };
    const acknowledgements = [{ by: "flag", guard: "unknown-current", address: targets[0] ?? "" }] as const;
    expect(await applied(scene, project, { mode, acknowledgements })).toBe("applied");
    expect(scene.contents.snapshot).not.toBeNull();
    expect(await planned(scene, project)).toContain("blocked ResourceType/team: may exist");
    await applied(scene, project);
    expect(names(scene).sort()).toEqual(["Role", before].sort());
  });

  it("is created beside types that the state knows and no manifest describes", async () => {
    const scene = await begin(type("role", "Role"));
    expect(await planned(scene, type("team", "Team"))).toEqual([
      "create ResourceType/team: not in tenant",
      expect.stringContaining("removed ResourceType/role"),
    ]);
  });

  it("is created without a state where an acknowledgement says that it is new", async () => {
    const scene = await begin();
    add(scene, TWO, "Other");
    const text = type("team", "Team");
    expect(await planned(scene, text)).toEqual(["blocked ResourceType/team: may exist"]);
    const acknowledgements = [
      { by: "flag", guard: "unknown-current", address: "ResourceType/team" },
    ] as const;
    expect(await applied(scene, text, { acknowledgements })).toBe("applied");
    expect(names(scene).sort()).toEqual(["Other", "Team"]);
  });

  it("is created without a state where manifests stand for every other type", async () => {
    const scene = await begin();
    add(scene, TWO, "Other");
    const text = type("team", "Team") + type("other", "Other", `id: ${TWO}`);
    expect(await planned(scene, text)).toEqual([
      "adopt ResourceType/other: already as wanted",
      "create ResourceType/team: not in tenant",
    ]);
  });

  it("of a class that occurs once in an app is created: the service refuses a second one", async () => {
    const scene = await begin();
    add(scene, TWO, "Other");
    const text = type("team", "Team", "resourceType: ROLE");
    expect(await planned(scene, text)).toEqual(["create ResourceType/team: not in tenant"]);
  });

  it("stays the one that remit manages where another one gets its name, with a warning", async () => {
    const scene = await begin(type("team", "Team"));
    add(scene, TWO, "Team");
    const { value } = await plan(scene.request(type("team", "Team")), scene.session);
    expect(value?.steps).toMatchObject([
      {
        action: "keep",
        diagnostics: [{ code: "reference/remembered", hint: expect.stringContaining(TWO) }],
      },
    ]);
  });

  it("blocks where its new name is the name of another type", async () => {
    const scene = await begin(type("team", "Team"));
    add(scene, TWO, "Squad");
    const text = type("team", "Squad");
    const { value } = await plan(scene.request(text), scene.session);
    expect(value?.steps).toMatchObject([
      {
        action: "blocked",
        diagnostics: [{ code: "reference/ambiguous", hint: expect.stringContaining(TWO) }],
      },
    ]);
  });

  it("is replaced where it is gone and another one has its name, and a guard asks", async () => {
    const scene = await begin(type("team", "Team"));
    const gone = rename(scene, "Team", "Team");
    const row = scene.sandbox.store.resourceTypes.get(APP, gone);
    if (row === undefined) throw new Error("no type");
    scene.sandbox.store.resourceTypes.put(APP, gone, { ...row, deletedAt: "2026-01-01T00:00:00Z" });
    add(scene, TWO, "Team");
    const { value } = await plan(scene.request(type("team", "Team")), scene.session);
    expect(value?.steps.map(line)).toEqual([
      "replace ResourceType/team: already as wanted",
      `forget ResourceType/team@${APP}/${gone}: gone from tenant`,
    ]);
    expect(value?.findings).toMatchObject([{ guard: "reference-moved" }]);
  });
});

describe("a type that its manifest finds by its name", () => {
  const text = type("team", "Squad", "id: { name: Team }");

  it("is found after the rename that the manifest asked for", async () => {
    const scene = await begin();
    add(scene, ONE, "Team");
    expect(await applied(scene, text)).toBe("applied");
    expect(names(scene)).toEqual(["Squad"]);
    expect(await planned(scene, text)).toEqual(["keep ResourceType/team: in sync"]);
    expect(await planned(scene, text, { mode: OFFLINE })).toEqual(["keep ResourceType/team: in sync"]);
    rename(scene, "Squad", "Crew");
    expect(await applied(scene, text)).toBe("applied");
    expect(names(scene)).toEqual(["Squad"]);
  });

  it("is not another type that gets the old name", async () => {
    const scene = await begin();
    add(scene, ONE, "Team");
    await applied(scene, text);
    add(scene, TWO, "Team");
    const { value } = await plan(scene.request(text), scene.session);
    expect(value?.steps).toMatchObject([
      { action: "keep", key: [APP, ONE], diagnostics: [{ code: "reference/remembered" }] },
    ]);
  });

  it("is an error with the ids without a state", async () => {
    const scene = await begin();
    add(scene, ONE, "Team");
    await applied(scene, text);
    forgetState(scene);
    expect(await planned(scene, text)).toEqual(["reference/not-found"]);
  });
});

describe("a plan without the service", () => {
  it("creates nothing that exists when it is applied later", async () => {
    const scene = await begin();
    add(scene, ONE, "Team");
    const text = type("team", "Team");
    const { value } = await plan(scene.request(text, { mode: OFFLINE }), scene.session);
    if (value === null) throw new Error("no plan");
    const saved = readSavedPlan(writePlan(value).text).value;
    const acknowledgements = [{ by: "flag", guard: "unknown-current", address: null }] as const;
    await apply(scene.order(scene.request(text, { acknowledgements }), { plan: saved }), scene.session);
    expect(names(scene)).toEqual(["Team"]);
  });
});
