import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** A review: a template that no list of the service shows, and the scope that names it. */

const ANA = idOf("userAna");
const [POLICY, LOCAL] = [idOf("policyReview"), idOf("policyLocal")];
const SPEC = {
  displayName: "Quarterly",
  ownerIds: [{ email: "ana@example.test" }],
  policyId: { name: "Manager review" },
  accessReviewDuration: "14d",
};
const template = (spec: object = {}, name = "quarterly"): Manifest => ({
  kind: "ReviewTemplate",
  name,
  spec: { ...SPEC, ...spec },
});
const scope: Manifest = {
  kind: "TemplateScope",
  name: "quarterly",
  spec: {
    templateId: { manifest: "quarterly" },
    scope: { appAccess: {}, userCriteria: { userStatus: ["ENABLED"] } },
    entitlements: [],
  },
};

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  const policy = { policyType: "POLICY_TYPE_CERTIFY" };
  sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      users: [{ id: ANA, displayName: "Ana Ruiz", email: "ana@example.test", status: "ENABLED" }],
      policies: [{ ...policy, id: POLICY, displayName: "Manager review" }],
    },
  });
  project = makeProject({ server: sandbox.url });
  project.write([scope, template()]);
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

const text = ({ stdout, stderr }: Seen) => (stdout + stderr).replace(/\s+/g, " ");

async function remit(code: number, ...argv: readonly string[]): Promise<string> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  const seen = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
  expect(seen.code, text(seen)).toBe(code);
  return text(seen);
}

const templates = () => sandbox.store.templates.all().filter(({ deletedAt }) => deletedAt === undefined);
const sent = (operation: string) => sandbox.log.entries({ operation }).map(({ body }) => body);

/** The template of the state; a campaign is cut from it, so that lists lead to it. */
async function applied(): Promise<string> {
  await remit(0, "apply", "--yes");
  await remit(0, "plan", "--detailed-exitcode");
  const [made] = templates();
  if (made === undefined) throw new Error("there is no template");
  return made.id;
}

function cut(id: string): void {
  const campaign = { id: idOf("campaign"), displayName: "Q1", accessReviewTemplateId: id };
  sandbox.store.campaigns.put(ROOT, campaign.id, { ...campaign, state: "ACCESS_REVIEW_STATE_OPEN" } as never);
}

describe("a review in one file", () => {
  it("is planned with the id that is pending, and made in one apply", async () => {
    const planned = await remit(0, "plan");
    expect(planned).toContain("‹id of ReviewTemplate/quarterly›");
    const id = await applied();
    expect(templates()).toMatchObject([
      { ownerIds: [ANA], policyId: POLICY, accessReviewDuration: "1209600s" },
    ]);
    expect(sandbox.store.setups.all()).toMatchObject([{ templateId: id }]);
    const [create] = sent("CreateTemplate");
    expect(Object.keys(create as object).sort()).toEqual([
      "accessReviewDuration",
      "displayName",
      "ownerIds",
      "policyId",
    ]);
  });

  it("continues with the same effect after its scope was refused, and makes no second template", async () => {
    await remit(0, "plan", "--out", "plan.json");
    const { effect } = JSON.parse(readFileSync(join(project.cwd, "plan.json"), "utf8"));
    const operation = "SetScopeAndEntitlements";
    sandbox.faults.set({ seed: 1, rules: [{ fault: "error", status: 403, operation, times: 1 }] });
    await remit(3, "apply", "--yes", "--expect", effect);
    await remit(0, "apply", "--yes", "--expect", effect);
    await remit(0, "plan", "--detailed-exitcode");
    expect(templates()).toHaveLength(1);
  });

  it("leaves with its manifests: the template is deleted, and its scope is forgotten, which has no delete", async () => {
    await applied();
    project.write([template({ displayName: "Yearly" }, "yearly")]);
    const settings = `manifests: [manifests]
server: ${sandbox.url}
removed:
  - { address: TemplateScope/quarterly, then: forget }
  - { address: ReviewTemplate/quarterly, then: delete }`;
    writeFileSync(join(project.cwd, "remit.yaml"), settings);
    expect(await remit(0, "plan", "--prune", "--acknowledge", "max-changes")).toContain("1 to delete");
    await remit(0, "apply", "--yes", "--prune", "--acknowledge", "max-changes");
    expect(templates()).toMatchObject([{ displayName: "Yearly" }]);
    await remit(0, "plan", "--detailed-exitcode");
  });
});

describe("a template", () => {
  it("is updated with a mask of exactly what changed", async () => {
    await applied();
    project.write([scope, template({ description: "Each quarter.", accessReviewDuration: null })]);
    await applied();
    expect(sent("UpdateTemplate")).toEqual([
      {
        accessReviewTemplate: { description: "Each quarter." },
        updateMask: "accessReviewDuration,description",
      },
    ]);
    expect(templates()[0]).not.toHaveProperty("accessReviewDuration");
  });

  it("gets its Slack channel by a second call, which a create does not take", async () => {
    project.write([template({ slackChannel: { name: "reviews" } })]);
    await applied();
    expect(sent("CreateTemplate")[0]).not.toHaveProperty("slackChannel");
    expect(sent("UpdateTemplate")).toEqual([
      { accessReviewTemplate: { slackChannel: { name: "reviews" } }, updateMask: "slackChannel" },
    ]);
    project.write([template({ slackChannel: { channelId: "C7" } })]);
    await applied();
    expect(templates()).toMatchObject([{ slackChannel: { channelId: "C7", isChannelId: true } }]);
  });

  it("that was created and lacks its second call gets it from the next apply, not a second template", async () => {
    project.write([template({ slackChannel: { name: "reviews" } })]);
    const rule = { fault: "error", status: 403, operation: "UpdateTemplate", times: 1 } as const;
    sandbox.faults.set({ seed: 1, rules: [rule] });
    await remit(1, "apply", "--yes");
    await applied();
    expect(templates()).toMatchObject([{ slackChannel: { name: "reviews" } }]);
  });

  it("mentions signatures only where the manifest does", async () => {
    await applied();
    project.write([scope, template({ description: "D" })]);
    await applied();
    project.write([scope, template({ description: "D", signatureConfig: { requireSignature: true } })]);
    expect(await remit(1, "apply", "--yes")).toContain("feature is not enabled");
    sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { signatures: true } } as never] });
    await applied();
    expect(templates()).toMatchObject([{ signatureConfig: { requireSignature: true } }]);
  });

  it("is not compared in what the service moves, and its scope is not its own", async () => {
    const id = await applied();
    const [row] = templates();
    const moved = {
      nextScheduledCampaignAt: "2027-01-04T16:30:00Z",
      scopeType: "ACCESS_REVIEW_SCOPE_TYPE_BY_USERS",
    };
    sandbox.store.templates.put(ROOT, id, { ...row, ...moved, id } as never);
    await remit(0, "plan", "--detailed-exitcode");
    project.write([template({ scope: {} })]);
    expect(await remit(5, "validate")).toContain("It is a field of TemplateScope");
  });

  it("warns of a value that sets campaigns off, once", async () => {
    await applied();
    project.write([scope, template({ isCampaignScheduleEnabled: true })]);
    expect(await remit(0, "plan")).toContain("the service cuts campaigns by itself");
    await remit(0, "apply", "--yes");
    expect(await remit(0, "plan")).not.toContain("by itself");
  });

  it("keeps its owners, whom only a create can set", async () => {
    await applied();
    project.write([scope, template({ ownerIds: [ANA, idOf("userBo")] })]);
    expect(await remit(4, "plan")).toContain("only a create can set it");
    project.write([scope, template({ ownerIds: [] })]);
    expect(await remit(5, "validate")).toContain("ownerIds");
  });

  it("is shown as drift where someone edited it, accepted, and made again where someone deleted it", async () => {
    const id = await applied();
    const [row] = templates();
    sandbox.store.templates.put(ROOT, id, { ...row, accessReviewDuration: "86400s", id } as never);
    expect(await remit(2, "plan", "--refresh-only", "--detailed-exitcode")).toContain("1d");
    await remit(0, "accept", "ReviewTemplate/quarterly", "--yes");
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    expect(await remit(0, "get", "ReviewTemplate/quarterly")).toContain("accessReviewDuration: 1d");
    sandbox.store.templates.put(ROOT, id, { ...row, deletedAt: "2026-01-01T00:00:00Z", id } as never);
    expect(await remit(2, "plan", "--detailed-exitcode")).toContain("1 to create");
  });

  it.each(["lost", "truncated", "html"])(
    "whose create is answered by %s stays uncertain until a person names its id",
    async (fault) => {
      project.write([template()]);
      sandbox.faults.set({ seed: 1, rules: [{ fault, operation: "CreateTemplate", times: 1 } as never] });
      expect(await remit(3, "apply", "--yes")).toContain(
        "remit state settle ReviewTemplate/quarterly --key ID",
      );
      expect(await remit(4, "plan")).toContain("remit state settle ReviewTemplate/quarterly --key ID");
      await remit(3, "apply", "--yes");
      expect(templates()).toHaveLength(1);
      project.write([template({ id: templates()[0]?.id ?? "" })]);
      await applied();
      project.write([template()]);
      await applied();
      expect(templates()).toHaveLength(1);
    },
  );

  it("is imported where it has cut a campaign, with its scope and without its owners", async () => {
    const id = await applied();
    const other = await (async () => {
      project.write([template({ displayName: "Never started" }, "never")]);
      await remit(0, "apply", "--yes", "--acknowledge", "max-changes");
      return templates().find(({ displayName }) => displayName === "Never started")?.id ?? "";
    })();
    cut(id);
    project.close();
    project = makeProject({ server: sandbox.url });
    const said = await remit(0, "import");
    expect(said).toContain("never started a campaign");
    const planned = await remit(0, "plan");
    expect(planned).toContain("3 to adopt");
    expect(planned).not.toContain(other);
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    expect(await remit(0, "plan", "--unmanaged")).not.toContain("ReviewTemplate");
  });

  it("takes a policy that belongs to one app for a namesake", async () => {
    const local = { policyType: "POLICY_TYPE_CERTIFY", scope: { appId: idOf("app") } };
    sandbox.store.policies.put(ROOT, LOCAL, { ...local, id: LOCAL, displayName: "Manager review" } as never);
    const said = await remit(5, "plan");
    expect(said).toContain(POLICY);
    expect(said).toContain(LOCAL);
  });

  it("cannot be created where the interface is core, or the server has no reads", async () => {
    project.close();
    project = makeProject({ server: sandbox.url, interface: "core" });
    project.write([template({ ownerIds: [ANA], policyId: POLICY })]);
    expect(await remit(4, "plan")).toContain("this interface cannot create a review template");
  });

  it("may not have the name of another one without an id", async () => {
    project.write([template(), template({}, "other")]);
    expect(await remit(5, "validate")).toContain("have the same displayName");
  });

  it("is imported from the state of Terraform with its owners, and the next plan is empty", async () => {
    const id = await applied();
    const state = {
      format_version: "1.0",
      values: {
        root_module: {
          resources: [
            {
              address: "conductorone_access_review_template.quarterly",
              mode: "managed",
              type: "conductorone_access_review_template",
              values: { id, owner_ids: [ANA] },
            },
          ],
        },
      },
    };
    project.close();
    project = makeProject({ server: sandbox.url });
    writeFileSync(join(project.cwd, "state.json"), JSON.stringify(state));
    await remit(0, "import", "--from-terraform", "state.json");
    const file = readFileSync(join(project.cwd, "manifests/review-template/quarterly.yaml"), "utf8");
    expect(file).toContain(`ownerIds:\n    - ${ANA}\n`);
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    expect(sent("UpdateTemplate")).toEqual([]);
  });
});
