import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { importingFrom } from "./importing.js";

const { tenant } = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");

/** An import of everything, as several tests look at it. */
let taken: ReturnType<ReturnType<typeof importingFrom>["take"]> | undefined;
function whole() {
  taken ??= importingFrom(tenant).take();
  return taken;
}

const UNCHANGED = { outlook: "changes nothing", actions: new Set(["adopt"]) };

describe("an import of the brownfield tenant", () => {
  it("changes nothing when it is planned, and writes nothing the second time", async () => {
    const { take, planned, writes } = importingFrom(tenant);
    const { text, manifests, diagnostics } = await take();
    expect([manifests.length, diagnostics]).toEqual([187, []]);
    expect(await planned(text)).toEqual(UNCHANGED);
    const again = await take({}, text);
    expect(again.manifests).toEqual([]);
    expect(again.leftOut.filter(({ because }) => because === "described")).toHaveLength(187);
    expect(writes).toEqual([]);
  });

  it("says why each other object has no manifest", async () => {
    const { leftOut } = await whole();
    const counts = new Map<string, number>();
    for (const { kind, because } of leftOut) {
      counts.set(`${kind} ${because}`, (counts.get(`${kind} ${because}`) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({
      "App connector": 4,
      "Entitlement connector": 124,
      "Entitlement of a profile": 4,
      "EntitlementAutomation managed elsewhere": 4,
      "Resource connector": 100,
      "Resource of a profile": 2,
      "ResourceType built in": 14,
      "ResourceType connector": 7,
      "ReviewTemplate deleted": 2,
      "TemplateScope deleted": 2,
    });
  });

  it("leaves nothing to a connector that another tool manages", async () => {
    const { leftOut } = await whole();
    const [connected] = leftOut.filter(
      ({ kind, because }) => kind === "ResourceType" && because === "connector",
    );
    const { kind = "", key = [] } = connected ?? {};
    const objects = [{ kind, key, called: "their-name", unseen: {} }];
    const taken = await importingFrom(tenant).take({ objects });
    expect([taken.names, taken.leftOut]).toEqual([["ResourceType/their-name"], []]);
  });

  it("writes a reference only where it finds one thing, and names what stays an id", async () => {
    const { text, manifests } = await whole();
    const automation = manifests.find(({ name }) => name === "auditors")?.text ?? "";
    // Two apps are called C1.
    expect(automation).toContain(`# appId is the app "C1".\n`);
    expect(automation).toContain("appEntitlementId:\n    alias: c1-auditors-member\n");
    expect(text).toContain("appId:\n    name: Finance Tools\n");
    expect(text).toContain(`# templateId is the access review template "Quarterly review".\n`);
    // Two people are called Jon Reyes.
    expect(text).toContain(`userIds[0] is the user "Jon Reyes <jon@fernhill.example>".\n`);
    expect(text).toContain(`userIds[1] is the user "Jon Reyes <jon.reyes@fernhill.example>".\n`);
  });

  it("leaves out what only a later version knows, and says so in the manifest", async () => {
    const { text } = await importingFrom(tenant).take({ patterns: [{ kind: "TemplateScope", name: "*" }] });
    expect(text).toMatch(
      /# Left out: scope, because remit has no name for scope\.future\S*\. The service keeps it\.\n/,
    );
  });

  it("leaves out a scope of which the service does not show the selection, and still imports the object", async () => {
    const { manifests } = await whole();
    const inherited =
      manifests.find(({ kind, name }) => kind === "TemplateScope" && name === "by-inheritance")?.text ?? "";
    expect(inherited).toContain(
      "# Left out: scope, because the service does not show what scope.resourceSelection selects. The service keeps it.\n",
    );
    expect(inherited).not.toContain("  scope:");
  });

  it("takes what is chosen: a kind, a pattern, an app, a template that no list shows, so many", async () => {
    const { take } = importingFrom(tenant);
    const quarterly = await take({ patterns: [{ kind: "TemplateScope", name: "*-quarterly" }] });
    expect(quarterly.names.length).toBeGreaterThan(3);
    expect(quarterly.names.every((name) => /^TemplateScope\/.*-quarterly$/.test(name))).toBe(true);
    const finance = await take({ apps: ["Finance Tools"] });
    expect(finance.text.match(/name: Finance Tools/gi)).toHaveLength(finance.manifests.length);
    expect((await take({ limit: 2 })).manifests).toHaveLength(20);
    const id = tenant.templates.find(({ displayName }) => displayName === "Never started")?.id ?? "";
    expect((await take({ templates: [id] })).names).toEqual(
      expect.arrayContaining(["ReviewTemplate/never-started", "TemplateScope/never-started"]),
    );
    expect((await take({ apps: ["C1"] })).diagnostics).toMatchObject([{ code: "reference/ambiguous" }]);
    const lower = await take({ apps: ["c1"] });
    expect(lower.diagnostics).toMatchObject([
      { code: "reference/not-found", hint: expect.stringContaining("The nearest: C1, ") },
    ]);
  });

  it("leaves out the scope of a deleted template that the service still shows", async () => {
    // Deleted things may be missing, or shown with the time of their deletion.
    const { take } = importingFrom(tenant, {}, { softDeleted: "shown" });
    const { leftOut, names } = await take({ patterns: [{ kind: "TemplateScope", name: "*" }] });
    expect(leftOut.filter(({ because }) => because === "deleted")).toHaveLength(2);
    expect(names).toHaveLength(29);
  });

  it("says which pattern fits no name, and what is called nearly so", async () => {
    const { take } = importingFrom(tenant);
    const chosen = ["auditorz", "auditors", "zz*"].map((name) => ({ kind: "EntitlementAutomation", name }));
    const { names, text, diagnostics } = await take({ patterns: chosen });
    expect(names).toEqual(["EntitlementAutomation/auditors"]);
    expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      [
        "command/nothing-fits",
        "warning",
        "no object that can have a manifest fits EntitlementAutomation/auditorz",
      ],
      [
        "command/nothing-fits",
        "warning",
        "no object that can have a manifest fits EntitlementAutomation/zz*",
      ],
    ]);
    expect(diagnostics[0]?.hint).toContain("The nearest: auditors,");
    // The second time the manifest itself has the name.
    const again = await take({ patterns: [{ kind: "EntitlementAutomation", name: "auditors" }] }, text);
    expect([again.names, again.diagnostics]).toEqual([[], []]);
  });

  it("leaves out a manifest that would change something or is not valid, and names the field", async () => {
    const { take, proofread, writes } = importingFrom(tenant);
    const { manifests } = await take({ patterns: [{ kind: "ResourceType", name: "team-*" }] });
    const [first, second, ...others] = manifests;
    if (first === undefined || second === undefined) throw new Error("the tenant has no types called Team");
    const changing = { ...first, text: first.text.replace("displayName: Team", "displayName: Crew") };
    const invalid = { ...second, text: second.text.replace("displayName:", "displayname:") };
    const { value, diagnostics } = await proofread([changing, invalid, ...others]);
    expect(value.kept).toEqual(others);
    expect(value.refused.map(({ manuscript, why }) => [manuscript.name, why])).toEqual([
      [second.name, expect.stringContaining("displayname")],
      [first.name, "the manifest would change displayName"],
    ]);
    expect([diagnostics, writes]).toEqual([[], []]);
  });

  it("goes on where a manifest names an app that is gone, and lists the manifest", async () => {
    const gone = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: crew }
spec: { appId: { name: Sold App }, displayName: Crew }
`;
    const { manifests, incomparable, diagnostics } = await importingFrom(tenant).take({}, gone);
    expect(diagnostics).toEqual([]);
    expect(incomparable.map(({ resource, why }) => [resource.address.name, why])).toEqual([
      ["crew", 'no app has the name "Sold App"'],
    ]);
    expect(manifests).toHaveLength(187);
    const twice = gone.replace("Sold App", "C1");
    expect((await importingFrom(tenant).take({}, twice)).diagnostics).toMatchObject([
      { code: "reference/ambiguous" },
    ]);
  });

  it("never gives a name that a file has", async () => {
    const { take } = importingFrom(tenant);
    const { names } = await take({}, null, ["auditors"]);
    expect(names).not.toContain("EntitlementAutomation/auditors");
    expect(names).toHaveLength(187);
  });
});
