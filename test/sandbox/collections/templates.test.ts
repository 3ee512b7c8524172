import { describe, expect, test } from "vitest";
import { idOf, QUARTERLY, refusal, told, visit } from "../visit.js";

const TEMPLATES = "/api/v1/access_review_template";
const ITEM = `${TEMPLATES}/${QUARTERLY}`;
const gone = { status: 404, code: 5, message: "not found" };

const everything = {
  displayName: "Q4",
  description: "Everyone.",
  policyId: idOf("policy"),
  accessReviewDuration: "1209600s",
  scopeType: "ACCESS_REVIEW_SCOPE_TYPE_BY_ENTITLEMENTS",
  scope: { allUsers: {}, principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS", scopeRoleSelection: null },
  defaultView: "ACCESS_REVIEW_VIEW_TYPE_BY_USER",
  recurrenceRule: {
    frequency: "FREQUENCY_YEARLY",
    interval: 1,
    startDate: "2025-01-01T00:00:00Z",
    occurrences: 4,
  },
  notificationConfig: { sendKickoff: true, sendReminders: false, sendClose: true },
  columnConfig: {
    columns: [],
    orderedColumns: [{ builtin: "ACCESS_REVIEW_TASK_COLUMN_APP" }, { appUserAttributeKey: "team" }],
  },
  signatureConfig: null,
  reviewerAttributeConfig: null,
  reviewInstructions: "Look twice.",
  accuracyIssueAction: "ACCURACY_ISSUE_ACTION_WAIT",
  annotations: { managed_by: "remit" },
  autoStartCampaign: true,
  autoCloseCampaign: true,
  autoCloseDecision: "CLOSE_DECISION_SKIP",
  autoGenerateReport: true,
  exemptCertifiedAccessConflicts: true,
  isCampaignScheduleEnabled: true,
  usePolicyOverride: true,
};

describe("the create of a template", () => {
  test("answers every field but the owners", () => {
    const { ask } = visit();
    const made = ask("POST", TEMPLATES, { ...everything, ownerIds: ["u1"] });
    const id = String(told(made, "accessReviewTemplate", "id"));
    expect(id).toMatch(/^[a-zA-Z0-9]{27}$/);
    expect(told(made, "accessReviewTemplate")).toEqual({
      ...everything,
      id,
      inclusionScope: null,
      nextScheduledCampaignAt: null,
      occurrences: 0,
      slackChannel: null,
      createdAt: "2025-03-01T08:00:00Z",
      updatedAt: "2025-03-01T08:00:00Z",
      deletedAt: null,
    });
    expect(ask("GET", `${TEMPLATES}/${id}`).body).toEqual(made.body);
  });

  test("and its update take a signature only where the tenant has signatures", () => {
    const { ask, turn } = visit();
    const signed = { ...everything, signatureConfig: { requireSignature: true }, ownerIds: ["u1"] };
    expect(refusal(ask("POST", TEMPLATES, signed))).toMatchObject({ status: 403, code: 7 });
    turn({ signatures: true });
    expect(told(ask("POST", TEMPLATES, signed), "accessReviewTemplate", "signatureConfig")).toMatchObject({
      requireSignature: true,
    });
  });

  test("wants an owner", () => {
    expect(refusal(visit().ask("POST", TEMPLATES, everything))).toMatchObject({ status: 400, code: 3 });
  });
});

describe("the update of a template", () => {
  test("changes the masked fields, and no other", () => {
    const { ask } = visit();
    const body = {
      accessReviewTemplate: { displayName: "Q", description: "D", policyId: "" },
      updateMask: "displayName,policyId",
    };
    expect(told(ask("POST", ITEM, body), "accessReviewTemplate")).toMatchObject({
      displayName: "Q",
      description: "",
      policyId: "",
    });
  });

  test("may mask what the vendor's provider masks, though a create does not take it", () => {
    const { ask } = visit();
    const extra = {
      inclusionScope: { users: {} },
      nextScheduledCampaignAt: "2025-09-01T00:00:00Z",
      slackChannel: { name: "reviews", isChannelId: false, channelId: "C0000001", description: "" },
    };
    const updateMask = Object.keys(extra).join();
    const reply = ask("POST", `${TEMPLATES}/${QUARTERLY}`, { accessReviewTemplate: extra, updateMask });
    expect(told(reply, "accessReviewTemplate")).toMatchObject(extra);
    const made = ask("POST", TEMPLATES, { displayName: "Q", ownerIds: ["u"], ...extra });
    expect(refusal(made).message).toContain("unknown field");
  });

  test.each([undefined, null, ""])("wants a mask: %s is none", (updateMask) => {
    const body = { accessReviewTemplate: {}, ...(updateMask === undefined ? {} : { updateMask }) };
    expect(refusal(visit().ask("POST", ITEM, body))).toEqual({
      status: 400,
      code: 3,
      message: "update_mask is required",
    });
  });

  test("is refused for what cannot be changed, for the signature, and where there is none", () => {
    const { ask } = visit();
    const send = (updateMask: string, path = ITEM) =>
      refusal(ask("POST", path, { accessReviewTemplate: {}, updateMask }));
    expect(send("ownerIds")).toMatchObject({ status: 400, code: 3 });
    expect(send("signatureConfig")).toMatchObject({ status: 403, code: 7 });
    expect(send("displayName", `${TEMPLATES}/${idOf("nowhere")}`)).toEqual(gone);
  });

  test("merges annotations, and takes away those sent empty", () => {
    const { ask } = visit();
    const send = (annotations: Record<string, string>) =>
      ask("POST", ITEM, { accessReviewTemplate: { annotations }, updateMask: "annotations" });
    send({ a: "1", b: "2" });
    expect(told(send({ b: "", c: "3" }), "accessReviewTemplate", "annotations")).toEqual({ a: "1", c: "3" });
    expect(told(send({ a: "", c: "" }), "accessReviewTemplate", "annotations")).toEqual({});
  });

  test.each([
    ["a reserved key", { "c1/x": "1" }],
    ["a key that is none", { "1x": "1" }],
    ["a value that is none", { x: "é" }],
    ["too many", Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, "1"]))],
    ["too much", Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`k${n}`, "x".repeat(256)]))],
  ])("is refused for annotations with %s", (_, annotations) => {
    const body = { accessReviewTemplate: { annotations }, updateMask: "annotations" };
    expect(refusal(visit().ask("POST", ITEM, body))).toMatchObject({ status: 400, code: 3 });
  });
});

test("a deleted template is not found, nor is its setup", () => {
  const { ask, turn } = visit();
  expect(ask("DELETE", ITEM, {})).toMatchObject({ status: 200, body: {} });
  expect(refusal(ask("GET", ITEM))).toEqual(gone);
  expect(refusal(ask("DELETE", ITEM, {}))).toEqual(gone);
  expect(refusal(ask("POST", `${ITEM}/scope_and_entitlements`, {}))).toEqual(gone);
  turn({ softDeleted: "shown" });
  expect(told(ask("GET", ITEM), "accessReviewTemplate", "deletedAt")).toBe("2025-03-01T08:00:00Z");
});

test("templates cannot be listed", () => {
  expect(visit().ask("GET", TEMPLATES).status).toBe(405);
});
