import type { Path } from "../../../model/path.js";
import { BUILT_IN_TYPES } from "../../collections/attributes.js";
import { catalog as catalogMessage } from "../../messages/catalog.js";
import { policy as policyMessage } from "../../messages/policy.js";
import { workflow as workflowMessage } from "../../messages/workflow.js";
import type { NamedRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { idOf } from "./naming.js";
import { checked, type SeedPolicy, type SeedProfile, type SeedValue, type SeedWorkflow } from "./shape.js";

const DELETED_AT = { deletedAt: "2025-06-30T17:00:00Z" };

/** The row of an access profile. */
export function profileRow(profile: SeedProfile, path: Path): NamedRow {
  const { name, description, members, deleted, fields = {} } = profile;
  return {
    ...checked(fields, catalogMessage, [...path, "fields"]),
    ...(description === undefined ? {} : { description }),
    ...(members === undefined ? {} : { memberCount: String(members) }),
    ...SEEDED_AT,
    ...(deleted ? DELETED_AT : {}),
    id: profile.id ?? idOf("profile", name),
    displayName: name,
  };
}

/** The row of a risk level or a compliance framework: its name is its value. */
export function valueRow(kind: keyof typeof BUILT_IN_TYPES, { name, id, deleted }: SeedValue): NamedRow {
  return {
    id: id ?? idOf("attribute", kind, name),
    attributeTypeId: BUILT_IN_TYPES[kind],
    value: name,
    ...SEEDED_AT,
    ...(deleted ? DELETED_AT : {}),
  };
}

/** The two types of values that every tenant has. */
export const VALUE_TYPES: readonly NamedRow[] = [
  { id: BUILT_IN_TYPES.riskLevel, name: "Risk level" },
  { id: BUILT_IN_TYPES.complianceFramework, name: "Compliance framework" },
];

/** The row of a policy. */
export function policyRow(policy: SeedPolicy, path: Path): NamedRow {
  const { name, description, type = "CERTIFY", fields = {} } = policy;
  return {
    ...checked({ ...fields, policyType: `POLICY_TYPE_${type}` }, policyMessage, [...path, "fields"]),
    ...(description === undefined ? {} : { description }),
    ...SEEDED_AT,
    id: policy.id ?? idOf("policy", name),
    displayName: name,
  };
}

/** The row of a workflow: it cuts campaigns from the templates that it names, or does something else. */
export function workflowRow(
  workflow: SeedWorkflow,
  templateId: (words: string, path: Path) => string,
  path: Path,
): NamedRow {
  const { name, description, template, templateCel, draft = false } = workflow;
  const createAccessReview = {
    ...(template === undefined
      ? {}
      : { accessReviewTemplateId: templateId(template, [...path, "template"]) }),
    ...(templateCel === undefined ? {} : { accessReviewTemplateCel: templateCel }),
  };
  const cuts = template !== undefined || templateCel !== undefined;
  const steps = [{ stepName: "step", ...(cuts ? { createAccessReview } : { sendEmail: {} }) }];
  const written = {
    ...(description === undefined ? {} : { description }),
    enabled: !draft,
    isDraft: draft,
    ...(draft ? { draftAutomationSteps: steps } : { automationSteps: steps }),
  };
  return {
    ...checked(written, workflowMessage, path),
    ...SEEDED_AT,
    id: workflow.id ?? idOf("workflow", name),
    displayName: name,
  };
}
