import type { Section } from "./saying.js";

export const POLICY = {
  heading: "policy: what the service refuses or drops",
  rows: {
    "policy/no-baseline": {
      severity: "error",
      title: "A policy has no steps under the word of its type: the service would deny everything",
      help: "Write the steps under `grant`, `revoke` or `certify`, or name a policy in `baselinePolicyId`.",
      cases: {
        none: {
          message: "policySteps has no `{word}`, so the service would deny everything, in silence",
          hint: "Write `policySteps: { {word}: { steps: […] } }`, or `baselinePolicyId`.",
        },
        meant: {
          message:
            "policySteps has `{meant}` and no `{word}`, so the service would deny everything, in silence",
          hint: "Call it `{word}`, in small letters.",
        },
      },
    },
    "policy/two-baselines": {
      severity: "error",
      title: "A policy has a baseline twice",
      message: "the policy has steps under `{word}` and baselinePolicyId",
      hint: "Leave one of them out.",
    },
    "policy/outcome": {
      severity: "error",
      title: "A rule has no outcome, or two",
      help: "Write one of `stepKey` and `policyId`.",
      cases: {
        none: { message: "the rule says nothing of what decides", hint: "Add stepKey or policyId." },
        two: { message: "the rule has stepKey and policyId", hint: "Leave one of them out." },
      },
    },
    "policy/unreached-rule": {
      severity: "warning",
      title: "A rule stands behind one that takes all that it would take",
      hint: "Move it up, or delete it.",
      cases: {
        all: { message: "the condition of an earlier rule always holds, so this rule is never asked" },
        same: { message: "an earlier rule has the same condition, so this rule is never asked" },
      },
    },
    "policy/unreached-configuration": {
      severity: "warning",
      title: "A configuration rule decides for nothing, because an earlier one takes all that it would take",
      hint: "Move it up, or delete it.",
      cases: {
        all: { message: "the rule {earlier} takes every entitlement, so this rule decides for none" },
        same: { message: "the rule {earlier} has the same condition, so this rule decides for nothing" },
      },
    },
    "policy/no-such-steps": {
      severity: "error",
      title: "A rule names steps that the policy does not have",
      help: "Write the steps, or another name.",
      message: "policySteps has no `{name}`",
      hint: "Write the steps under `{name}`, or name others.",
    },
    "policy/dead-steps": {
      severity: "error",
      title: "Steps of a policy are never used",
      help: "Name them in a rule, or delete them.",
      message: "no rule names the steps `{name}`, so nothing ever uses them",
      hint: "Name them by `stepKey: {name}`, or delete them.",
    },
    "policy/no-steps": {
      severity: "error",
      title: "A list of steps is empty",
      message: "the list of steps is empty, which the service refuses",
      hint: "Write at least one step.",
    },
    "policy/empty-step": {
      severity: "error",
      title: "A step does nothing",
      message: "the step says nothing of what happens",
      hint: "Write one of accept, reject, approval and wait.",
    },
    "policy/wait-for-nothing": {
      severity: "error",
      title: "A step waits for nothing",
      message: "the step does not say what it waits for",
      hint: "Write one of condition, duration and untilTime.",
    },
    "policy/no-approver": {
      severity: "error",
      title: "An approval step asks no one",
      message: "the step does not say who approves",
      hint: "Write who does, such as `manager: { }`.",
    },
    "policy/users": {
      severity: "error",
      title: "An approval step has no users, or more than 32",
      message: "a step asks 1 to 32 users",
      hint: "Write 1 to 32 users, or ask a group.",
    },
    "policy/empty-fallback": {
      severity: "error",
      title: "A step has a fallback with no one in it",
      help: "Fill the list that counts, or leave `fallback` out.",
      message: "`fallback` is true and {list} is empty, which the service refuses",
      hint: "Fill {list}, or leave `fallback` out.",
    },
    "policy/agent-incomplete": {
      severity: "error",
      title: "An agent lacks what its settings need",
      help: "Write the field.",
      message: "the agent needs {field} here",
      hint: "Write {field}, or choose another mode or failure action.",
    },
    "policy/agent-revokes": {
      severity: "error",
      title: "An agent decides about removals",
      message: "the service takes no agent in a policy for removals",
      hint: "Ask people instead.",
    },
    "policy/agent-certifies": {
      severity: "error",
      title: "An agent decides about lines of a review",
      message: "in a policy for reviews an agent may only comment",
      hint: "Write `agentMode: APPROVAL_AGENT_MODE_COMMENT_ONLY`.",
    },
    "policy/agent-own-policy": {
      severity: "error",
      title: "An agent may choose the policy that it is in",
      message: "the agent may choose the policy that it is in, which the service refuses",
      hint: "Leave that policy out of the list.",
    },
    "policy/escalation-off": {
      severity: "error",
      title: "An escalation is written and not enabled: the service would drop it",
      message: "`escalationEnabled` is not true, so the service would drop the escalation",
      hint: "Write `escalationEnabled: true` beside it, or delete the escalation.",
    },
    "policy/escalation-missing": {
      severity: "error",
      title: "An escalation is enabled and not written",
      message: "`escalationEnabled` is true, and the step has no escalation",
      hint: "Write `escalation`, or leave `escalationEnabled` out.",
    },
    "policy/escalation-to-nothing": {
      severity: "error",
      title: "An escalation does nothing",
      message: "the escalation does not say what happens",
      hint: "Write one of replacePolicy, reassignToApprovers, cancelTicket and skipStep.",
    },
    "policy/post-actions": {
      severity: "error",
      title: "Only a policy for reviews has post actions",
      message: "only a policy with POLICY_TYPE_CERTIFY has post actions",
      hint: "Delete postActions.",
    },
    "policy/ring": {
      severity: "error",
      title: "Policies lead to each other in a ring",
      help: "Let one of them lead to steps of its own: write `stepKey` in the rule, or steps in place of `baselinePolicyId`.",
      message: "the policy leads back to itself, over {ring&}",
      hint: "Let one of them lead to steps of its own.",
    },
    "policy/too-deep": {
      severity: "error",
      title: "A policy leads to too many others, one behind the other",
      help: "Let one of them lead to steps of its own. The service follows at most five policies.",
      message: "{chain&} follow one behind the other; the service takes {most}",
      hint: "Let one of them lead to steps of its own.",
    },
    "policy/other-type": {
      severity: "error",
      title: "A policy leads to one of another type",
      help: "Name a policy of the same `policyType`.",
      message: "{other} has {type}, and this policy has {own}",
      hint: "Name a policy with {own}.",
    },
  },
} as const satisfies Section;
