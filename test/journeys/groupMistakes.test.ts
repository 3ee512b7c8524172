import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** What authors write wrong in the manifests of a group: each mistake has its places and a next step. */

const group = resourceNamed("eng", "Engineering");
const member = memberNamed("eng-member", "eng");
const rule = ruleNamed("eng", "eng-member");

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly span?: { readonly start: { readonly line: number } };
  readonly related?: readonly { readonly span: { readonly start: { readonly line: number } } }[];
}

/** What a command finds in the manifests, each on a line of its own. */
async function found(
  command: "plan" | "validate",
  ...manifests: readonly Manifest[]
): Promise<readonly Told[]> {
  scene.project.write(manifests);
  const { code, stdout } = await scene.run(command, "--format", "json");
  expect(code).toBe(5);
  return JSON.parse(stdout).diagnostics;
}
const linesOf = ({ span, related = [] }: Told) =>
  [span, ...related.map((one) => one.span)].map((one) => one?.start.line);

describe("manifests of a group are refused", () => {
  it.each<[string, string, readonly Manifest[]]>([
    [
      "two resources with one name in one type",
      "manifest/duplicate-key",
      [group, resourceNamed("two", "Engineering")],
    ],
    [
      "two entitlements with one name of one resource",
      "manifest/duplicate-key",
      [group, member, memberNamed("two", "eng", { alias: "other" })],
    ],
    [
      "two manifests for one entitlement",
      "manifest/duplicate-key",
      ["one", "two"]
        .map((name) => memberNamed(name, "eng", { id: "2fsgTvxP0DVTsNXEUBI7hOe0l5X" }))
        .concat(group),
    ],
  ])("for %s, with both lines", async (_, code, manifests) => {
    const said = await found("plan", ...manifests);
    const [one] = said.filter((told) => told.code === code);
    expect(one, JSON.stringify(said)).toBeDefined();
    expect(new Set(one === undefined ? [] : linesOf(one)).size).toBe(2);
    expect(scene.sandbox.log.count({ written: true })).toBe(0);
  });

  it.each([
    ["an id", memberNamed("eng-member", "eng", { appResourceId: "\u2039id of Resource/eng\u203a" })],
    [
      "a key",
      ruleNamed("eng", "eng-member", { appEntitlementId: "\u2039id of Entitlement/eng-member\u203a" }),
    ],
  ])("for a text that stands for an id in the place of %s", async (_, manifest) => {
    const said = await found("validate", manifest);
    expect(said).toMatchObject([{ code: "rule/reserved-text", span: { file: "manifests/all.yaml" } }]);
    expect(said[0]?.hint).toContain("{ manifest: eng");
    await found("plan", manifest);
    expect(scene.sandbox.log.count({ written: true })).toBe(0);
  });

  it("but not for such a text where no manifest may stand: it is a name like any other", async () => {
    const name = "\u2039id of Resource/eng\u203a";
    scene.project.write([resourceNamed("eng", name)]);
    await scene.remit(0, "apply", "--yes");
    expect(scene.sandbox.store.resources.all()).toMatchObject([{ displayName: name }]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("on the interface core, which has no operation for them", async () => {
    scene.project.write([group, member, rule]);
    const said = await scene.remit(4, "plan", "--interface", "core");
    expect(said).toContain("this interface cannot create a resource");
    expect(said).toContain("3 blocked");
  });
});

describe("an entitlement that exists", () => {
  it("is blocked where its manifest names another resource than the service shows, and is not said to hide it", async () => {
    const other = resourceNamed("ops", "Operations");
    scene.project.write([group, other, member]);
    await scene.remit(0, "apply", "--yes");
    const { id } = scene.made()[0] ?? {};
    const adopt = (resource: string) => memberNamed("eng-member", resource, { id: String(id) });
    const inTenant = ["--state", "other.json"];
    const ids = Object.fromEntries(
      scene.sandbox.store.resources.all().map(({ displayName, id }) => [displayName, id]),
    );
    const named = [
      { ...group, spec: { ...group.spec, id: ids.Engineering } },
      { ...other, spec: { ...other.spec, id: ids.Operations } },
    ] as readonly Manifest[];
    scene.project.write([...named, adopt("eng")]);
    const said = await scene.remit(0, "plan", "--format", "json", ...inTenant);
    expect(said).not.toContain("plan/create-only");
    scene.project.write([...named, adopt("ops")]);
    const blocked = await scene.remit(4, "plan", ...inTenant);
    expect(blocked).toContain("error[plan/create-only-edited]");
    expect(blocked).toContain(
      `was created with \`appResourceId\` ${ids.Engineering}, and the manifest writes ${ids.Operations}`,
    );
  });
});
