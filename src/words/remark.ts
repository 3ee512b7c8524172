import type { Section } from "./saying.js";

export const REMARK = {
  heading: "remarks: what a plan explains about one object",
  intro: "A remark stands with its object and asks for nothing.",
  rows: {
    "remark/restore": {
      severity: "note",
      title: "What an object had before remit first managed a field",
      help: "Write the lines in the manifest, and the next apply restores them.",
      cases: {
        fields: { message: "to restore it, write" },
        object: { message: "to restore what was there before remit, write under `spec`" },
      },
    },
    "remark/changed-at": {
      severity: "note",
      title: "When the tenant changed an object last",
      help: "The service does not say who changed it.",
      message: "last on {day} at {time} UTC",
    },
    "remark/ring": {
      severity: "note",
      title: "Objects that are created name each other, so one of them is written twice",
      help: "Between the two writes it gives less access than after them. A run that ends in between goes on with the next apply.",
      cases: {
        without: { message: "made without {fields&}, which it gets once {others&} {others?exists/exist}" },
        refusing: {
          message:
            "made so that it refuses everything; it gets {fields&} once {others&} {others?exists/exist}",
        },
      },
    },
    "remark/rewrites": {
      severity: "note",
      title: "The service writes the request defaults into entitlements by itself",
      help: "It does so after the write, and leaves out those with `overrideAccessRequestsDefaults`.",
      cases: {
        known: { message: "the service will write the defaults into {count:unlocked entitlement}" },
        unknown: { message: "into how many entitlements the service will write the defaults is not known" },
      },
    },
    "remark/last-file": {
      severity: "note",
      title: "The file of the manifest that an object had last",
      help: "Write the manifest there again, or decide what happens to the object.",
      message: "was in",
    },
    "remark/decides": {
      severity: "note",
      title: "For how many entitlements a policy decides",
      help: "Look at them before you change the policy: the change is for requests from then on.",
      cases: {
        all: { message: "it decides for {count:entitlement}" },
        some: { message: "it decides for at least {count:entitlement}" },
        unknown: { message: "for how many entitlements it decides is not known" },
        uncounted: { message: "for which entitlements it decides was not counted: {why}" },
      },
    },
    "remark/requests": {
      severity: "note",
      title: "Who may request what a policy decides about, and who would need no one else to agree",
      help: "It counts enabled users and published access profiles. What depends on the request or on an account is not known.",
      cases: {
        counted: {
          message:
            "{people} may request {count:entitlement} about which it decides; {after} of them would need no one else to agree (before: {before})",
        },
        agreed: {
          message:
            "{people} may request {count:entitlement} about which it decides; someone else has to agree",
        },
        noOne: { message: "no one may request what it decides about" },
        unknown: { message: "not known for all of them: {why}" },
        uncounted: { message: "who may request what it decides about was not counted: {why}" },
      },
    },
    "remark/rule-decides": {
      severity: "note",
      title: "For which entitlements a configuration rule decides",
      help: "Compare the numbers with what you meant. For what no rule takes, the app itself decides.",
      cases: {
        named: { message: "{who} decides for {after}:" },
        more: { message: "{who} decides for {after} (before: {before}), newly for" },
        other: { message: "{who} decides for {after} (before: {before})" },
        unknown: { message: "whether {who} holds is not known: {why}" },
        open: { message: "entitlements that exist only once they are asked for are not counted" },
      },
    },
    "remark/no-approver": {
      severity: "note",
      title: "A step of a policy has no one who can answer",
      help: "Name users who are enabled, a group that someone holds, or a fallback. Where owners are asked, write `owners` of the object.",
      message: "no one can answer now, in",
    },
    "remark/unknown-approver": {
      severity: "note",
      title: "Whether someone can answer a step of a policy is not known",
      help: "Expressions decide it for each request, and so do owners that no manifest writes. Write a fallback, where the step takes one.",
      message: "whether someone can answer is not known, in",
    },
    "remark/unknown-policy": {
      severity: "note",
      title: "Who has to agree is not known",
      help: "Plan again where the service shows its policies. Until then remit counts such a policy as one that asks another person.",
      cases: {
        one: { message: "who has to agree is not known, because remit did not read the policy" },
        several: { message: "who has to agree is not known, because remit did not read the policies" },
      },
    },
  },
} as const satisfies Section;
