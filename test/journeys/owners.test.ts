import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Spec } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** Owners of a group: a create sends them, no read shows them, and later they are compared with the record alone. */

const [ANA, BO] = [idOf("userAna"), idOf("userBo")];

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  for (const [id, email] of [
    [ANA, "ana@example.test"],
    [BO, "bo@example.test"],
  ] as const)
    scene.sandbox.store.users.put(ROOT, id, { id, displayName: email, email, status: "ENABLED" });
});
afterEach(() => scene.close());

const group = (more: Spec = {}) => resourceNamed("eng", "Engineering", more);
const member = (more: Spec = {}) => memberNamed("eng-member", "eng", more);
const both = { ownerIds: [{ email: "bo@example.test" }, { email: "ana@example.test" }] };
const sent = (operation: string) => scene.sandbox.log.entries({ operation }).map(({ body }) => body);

async function created(): Promise<void> {
  scene.project.write([group(both), member(both)]);
  await scene.remit(0, "apply", "--yes");
  await scene.remit(0, "plan", "--detailed-exitcode");
}

describe("owners of a resource and of an entitlement", () => {
  it("are sent with the create, and the next plan is empty", async () => {
    await created();
    expect(sent("CreateResource")).toMatchObject([{ resourceOwnerUserIds: [ANA, BO] }]);
    expect(sent("CreateEntitlement")).toMatchObject([{ appEntitlementOwnerIds: [ANA, BO] }]);
    scene.project.write([group({ ownerIds: [ANA, BO] }), member({ ownerIds: [...both.ownerIds].reverse() })]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("are not changed by an edit, which the plan refuses with the owners of the create", async () => {
    await created();
    scene.project.write([group({ ownerIds: [ANA] }), member({ ownerIds: [ANA] })]);
    const said = await scene.remit(4, "plan");
    for (const noun of ["resource", "entitlement"])
      expect(said).toContain(
        `the ${noun} was created with \`ownerIds\` [${ANA}, ${BO}], and the manifest writes`,
      );
    await scene.remit(3, "apply", "--yes");
    expect([sent("UpdateResource"), sent("UpdateEntitlement")]).toEqual([[], []]);
    scene.project.write([group(), member()]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("are unknown where no create of remit sent them: a note says so, and nothing is sent", async () => {
    scene.project.write([group(), member()]);
    await scene.remit(0, "apply", "--yes");
    scene.project.write([group(both), member(both)]);
    const said = await scene.remit(0, "plan", "--detailed-exitcode");
    expect(said).toContain("note[plan/create-only-unknown]");
    expect(said).toContain(
      "remit did not create the entitlement with it, and the service does not show the field",
    );
    expect(said).toContain("0 to create, 0 to change");
  });

  it("are left out of an import, which says so", async () => {
    await created();
    scene.project.write([]);
    const said = await scene.remit(0, "import", "--state", "other.json");
    expect(said).toContain("The service does not show the field `ownerIds`");
    const folder = join(scene.project.cwd, "manifests");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".yaml"),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const name of files) expect(readFileSync(join(folder, name), "utf8")).not.toContain("ownerIds");
  });

  it("are 32 at most", async () => {
    const ownerIds = Array.from({ length: 33 }, (_, at) => idOf(`user${at}`));
    scene.project.write([group({ ownerIds })]);
    expect(await scene.remit(5, "validate")).toContain("ownerIds");
  });
});
