import { isObject, type JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { Refusal } from "../answer/operation.js";
import { ROOT } from "../tenant/store.js";
import { flag, part, parts, text, texts } from "../wire/member.js";
import { isDeleted } from "./owned.js";

// docs/service/whole-tenant.md, section 1.6. All that answers 500 is an answer to input.

/** What the service keeps of a policy that it is sent, beside what stays; it refuses some, and makes others deny everything. */
export function keptPolicy(sent: JsonObject, stays: JsonObject, world: World): JsonObject {
  const all: JsonObject = { ...stays, ...sent };
  const word = text(all, "policyType").replace("POLICY_TYPE_", "").toLowerCase();
  const steps = part(all, "policySteps") ?? {};
  for (const value of Object.values(steps)) checkSteps(isObject(value) ? value : {}, word, text(all, "id"));
  for (const rule of parts(all, "rules")) checkRule(rule, steps);
  const other = text(all, "baselinePolicyId");
  if (other !== "" && steps[word] !== undefined)
    throw new Refusal("invalidArgument", "baseline_policy_id excludes baseline steps");
  if (chainFrom(all, world) > 5)
    throw new Refusal("invalidArgument", "policies refer to each other, or too deeply");
  const isDenying = other === "" && steps[word] === undefined;
  return {
    ...sent,
    ...(sent.policySteps === undefined && !isDenying
      ? {}
      : {
          policySteps: mapped(isDenying ? { ...steps, [word]: { steps: [{ reject: {} }] } } : steps),
        }),
  };
}

/** Of a policy that the service made, only post actions change. Whether the API takes them is not documented. */
export function unlessBuiltIn(
  before: JsonObject | undefined,
  names: readonly string[],
  { quirks }: World,
): void {
  if (before?.systemBuiltin !== true) return;
  if (quirks.builtInActions === "refused" || names.some((name) => name !== "postActions"))
    throw new Refusal("failedPrecondition", "a built-in policy cannot be changed");
}

/** An escalation that is not enabled is dropped. */
function mapped(steps: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(steps).map(([name, value]) => [
      name,
      {
        steps: parts(isObject(value) ? value : {}, "steps").map((step) => {
          const approval = part(step, "approval");
          if (approval === undefined || flag(approval, "escalationEnabled")) return step;
          const { escalation: _, ...rest } = approval;
          return { ...step, approval: rest };
        }),
      },
    ]),
  );
}

function checkRule(rule: JsonObject, steps: JsonObject): void {
  const [key, other] = [text(rule, "stepKey") || text(rule, "policyKey"), text(rule, "policyId")];
  if ((key === "") === (other === "")) throw new Refusal("invalidArgument", "a rule needs one outcome");
  if (text(rule, "condition") === "") throw new Refusal("invalidArgument", "condition is required");
  if (key !== "" && parts(part(steps, key) ?? {}, "steps").length === 0)
    throw new Refusal("unknown", "policy steps not found");
}

function checkSteps(value: JsonObject, word: string, id: string): void {
  const steps = parts(value, "steps");
  if (steps.length === 0) throw new Refusal("invalidArgument", "steps are required");
  for (const step of steps) {
    const [name] = Object.keys(step);
    if (name === undefined) throw new Refusal("unknown", "policy step is nil");
    if (name === "provision" || name === "action")
      throw new Refusal("unknown", "unsupported workflow step type");
    const approval = part(step, "approval");
    if (approval !== undefined) checkApproval(approval, word, id);
  }
}

function checkApproval(approval: JsonObject, word: string, id: string): void {
  if (flag(approval, "assigned")) throw new Refusal("unknown", "assigned is read-only");
  for (const asked of Object.values(approval)) {
    if (!isObject(asked) || !flag(asked, "fallback")) continue;
    const list = flag(asked, "isGroupFallbackEnabled")
      ? parts(asked, "fallbackGroupIds")
      : texts(asked, "fallbackUserIds");
    if (list.length === 0) throw new Refusal("unknown", "fallback has no users");
  }
  const agent = part(approval, "agent");
  if (agent === undefined) return;
  const mode = text(agent, "agentMode").replace("APPROVAL_AGENT_MODE_", "");
  const failure = text(agent, "agentFailureAction").replace("APPROVAL_AGENT_FAILURE_ACTION_", "");
  const policies = texts(agent, "policyIds");
  const isRefused =
    [mode, failure].some((one) => one === "" || one === "UNSPECIFIED") ||
    word === "revoke" ||
    (word === "certify" && mode !== "COMMENT_ONLY") ||
    (mode === "CHANGE_POLICY_ONLY" && (policies.length === 0 || policies.includes(id))) ||
    (failure === "REASSIGN_TO_USERS" && texts(agent, "reassignToUserIds").length === 0);
  if (isRefused) throw new Refusal("unknown", "the agent is not valid here");
}

/** The policies that one leads to by rules and baselines: how deep, and far too deep for a ring. */
function chainFrom(policy: JsonObject, world: World, depth = 0): number {
  if (depth > 5) return depth;
  const next = [
    text(policy, "baselinePolicyId"),
    ...parts(policy, "rules").map((rule) => text(rule, "policyId")),
  ];
  const depths = next
    .filter((id) => id !== "")
    .map((id) => {
      const row = world.store.policies.get(ROOT, id);
      return row === undefined || isDeleted(row) ? depth + 1 : chainFrom(row, world, depth + 1);
    });
  return Math.max(depth, ...depths);
}

/** Refuses to delete a policy that another one names. */
export function unnamed(id: string, { store }: World): void {
  const isNaming = (row: JsonObject) =>
    row.id !== id && !isDeleted(row) && JSON.stringify(row).includes(`"${id}"`);
  if (store.policies.of(ROOT).some(isNaming))
    throw new Refusal("invalidArgument", "cannot delete policy because another policy refers to it");
}
