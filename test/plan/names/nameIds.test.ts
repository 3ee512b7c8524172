import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plan } from "../../../src/apply/preview.js";
import { readSeed } from "../../../src/cli/open/sandboxInput.js";
import { type Call, formatCallPath } from "../../../src/model/call.js";
import { hashesOf } from "../../../src/plan/saved/effect.js";
import { memorySession } from "../../apply/memorySession.js";
import { requestFor } from "../../apply/request.js";
import { checkedClient, refusal } from "../../fakes/checkedClient.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

const { tenant } = readSeed(readFileSync("examples/brownfield/seed.yaml", "utf8"), "seed.yaml");
const C1 = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const template = "2fernhillQuarterlyReviewOne";
const hipaa = tenant.attributes.find(({ value }) => value === "HIPAA")?.id;
const auditors = tenant.automations.find(({ displayName }) => displayName === "Auditors")?.appEntitlementId;

const BY_IDS = `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: quarterly }
spec:
  templateId: ${template}
  scope: { appSelectionCriteria: { complianceFrameworkAttributeValueIds: [${hipaa}] }, selectedUsers: { userIds: [${tenant.users[0]?.id}] } }
---
apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: auditors }
spec: { appId: ${C1}, appEntitlementId: ${auditors}, cel: { expression: 'subject.department == "X"' } }
`;

/** A plan whose names may take so many calls, of a service that refuses some. Nothing asks which interface it has, if not "auto". */
async function planned(nameCalls: number, refused: string | null = null, asked: "full" | "auto" = "full") {
  const clock = fakeClock();
  const { client } = directClient({ tenant }, clock);
  const paths: string[] = [];
  const check = (call: Call) => {
    const path = formatCallPath(call).replace("/api/v1/", "");
    paths.push(path);
    if (refused === null || !path.endsWith(refused)) return;
    throw refusal(call, 403, `${path}: answered 403`);
  };
  const checked = checkedClient(client, check);
  const session = memorySession(checked, clock);
  const { value } = await plan(requestFor(BY_IDS, { nameCalls, interface: asked }), session);
  if (value === null) throw new Error("no plan");
  return { ...value, paths, shown: Object.values(value.names).sort(), effect: hashesOf(value).effect };
}

describe("the ids that a plan only shows", () => {
  it("are named by a search for each sort, without the names of people", async () => {
    const { shown, calls, paths } = await planned(20);
    expect(shown).toEqual([
      "Auditors Member",
      "C1",
      "Critical",
      "HIPAA",
      "High",
      "Quarterly review",
      "SOC 2",
    ]);
    expect(calls.made.names).toBe(5);
    expect(paths.some((path) => path.includes("users"))).toBe(false);
  });

  it("are not asked for where the plan has read them for another reason", async () => {
    const [asked, heard] = [await planned(20), await planned(20, null, "auto")];
    expect(heard.shown).toEqual(asked.shown);
    expect([asked, heard].map(({ calls }) => calls.made.names)).toEqual([5, 4]);
    expect([asked, heard].map(({ paths }) => paths.includes("search/apps"))).toEqual([true, false]);
  });

  it("stay ids where no call may be made for them, and the plan does the same", async () => {
    const [named, bare] = [await planned(20), await planned(0)];
    expect([bare.shown, bare.calls.made.names]).toEqual([[], undefined]);
    expect(named.effect).toBe(bare.effect);
    expect(named.steps).toEqual(bare.steps);
  });

  it("are named as far as the calls reach, the most telling sort first", async () => {
    expect((await planned(2)).shown).toEqual(["Auditors Member", "C1"]);
  });

  it.each([
    ["search/apps", "apps"],
    ["search/entitlements", "entitlements"],
    [`access_review_template/${template}`, "access review templates"],
    ["risk_levels", "risk levels"],
  ])("stay ids where %s is refused, and the plan says so", async (path, what) => {
    const [whole, cut] = [await planned(20), await planned(20, path)];
    expect(cut.unseen).toEqual([{ what: `names of ${what}`, why: `${path}: answered 403` }].map(withPrefix));
    expect(cut.shown.length).toBeLessThan(whole.shown.length);
    expect([cut.effect, cut.findings, cut.steps]).toEqual([whole.effect, whole.findings, whole.steps]);
  });
});

/** What a call is called before what was answered. */
function withPrefix({ what, why }: { what: string; why: string }) {
  return { what, why: expect.stringContaining(why) };
}
