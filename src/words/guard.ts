import type { Section } from "./saying.js";

/** Each guard: remit has one of that name for every row, and asks them in this order. */
export const GUARDS = {
  "guard/first-run": {
    severity: "error",
    title: "The store on a server contains no state, and the service does not show what is there",
    help: "Check the address of the state. If this is its first run, add `--first-run`, or apply at a terminal, which asks.",
    message: "{store} contains no state, and the plan writes {unseen:object} that cannot be read",
  },
  "guard/max-deletes": {
    severity: "error",
    title: "Many objects are deleted",
    help: "Check that this is intended, then acknowledge it. `guards.maxDeletes` is 5 unless set.",
    message: "{count:object} would be deleted; the limit is {limit}",
  },
  "guard/deletes-changed": {
    severity: "error",
    title: "An object would be deleted that the tenant changed since the last apply",
    help: "Look at what changed. To delete it as it is now, acknowledge it; to keep it, write `then: forget`, or put its manifest back.",
    cases: {
      anew: {
        message: "it was deleted and made anew in the tenant since the last apply, and would be deleted",
      },
      changed: {
        message: "{fields,} changed in the tenant since the last apply, and the object would be deleted",
      },
    },
  },
  "guard/deletes-unknown": {
    severity: "error",
    title: "An object would be deleted, and what is deleted with it is unknown",
    help: "Raise `impact.calls`, use a token that may read grants, or acknowledge it.",
    message: "it would be deleted, and what is deleted with it is unknown: {why}",
  },
  "guard/max-forgets": {
    severity: "error",
    title: "Decisions would make remit stop managing many objects",
    help: "Check that this is intended, then acknowledge it. `guards.maxForgets` is 5 unless set.",
    message: "{count:object} would no longer be managed; the limit is {limit}",
  },
  "guard/max-changes": {
    severity: "error",
    title: "Many objects are written, or a large share of the existing objects is changed",
    help: "Check that this is intended, then acknowledge it. `guards.maxChanges` has no limit unless set. `maxChangesPercent` is 50, and counts above `changesFloor`, which is 10.",
    cases: {
      count: { message: "{count:object} would be written; the limit is {limit}" },
      share: {
        message: "{count} of {of} objects that are there would be changed or deleted; the limit is {limit} %",
      },
    },
  },
  "guard/protected": {
    severity: "error",
    title: 'An object with `remit/protect: "true"` is deleted',
    help: "Remove the annotation and apply, then delete; or acknowledge it.",
    cases: {
      delete: { message: "it is protected, and would be deleted" },
      release: { message: "it is protected, and would no longer be managed" },
      forget: {
        message: "{name}: it is protected, and would no longer be managed",
        hint: "Nothing was forgotten. If this is intended, add --acknowledge protected={name}.",
      },
    },
  },
  "guard/scope-emptied": {
    severity: "error",
    title: "A scope, or a list of entitlements, becomes empty",
    help: "Check that this is intended, then acknowledge it.",
    message: "{fields&} would be emptied",
  },
  "guard/everyone": {
    severity: "error",
    title: "A condition holds for everyone or for more than 90 % of people, or a scope loses its restriction",
    help: "Check that this is intended, then acknowledge it.",
    cases: {
      always: { message: "{paths&} would be true for everyone" },
      undecided: { message: "whether {path} is true for everyone could not be decided" },
      unread: {
        message: "whether {path} is true for everyone could not be decided: remit does not evaluate {unread}",
      },
      unrestricted: { message: "{fields&} would no longer restrict anything" },
      share: { message: "it would hold for {people} of {read} people, more than {share} %" },
      unclear: {
        message:
          "whether it would hold for everyone could not be decided for {undecided} of {read} people: {why}",
      },
    },
  },
  "guard/expression-invalid": {
    severity: "error",
    title: "An expression that a step writes is not CEL",
    help: "Correct it: the service would refuse it, or keep a rule that matches no one. Acknowledge it if the service knows more than remit.",
    cases: {
      syntax: { message: "{name} is not CEL: {fault}" },
      unknown: { message: "{name} is refused: {fault}. {next}" },
    },
  },
  "guard/nobody": {
    severity: "error",
    title: "A condition holds for no one from now on, so access ends",
    help: "Check that this is intended, then acknowledge it.",
    cases: {
      none: {
        message: "no condition is left, so everyone who has access by this automation would lose it",
      },
      never: {
        message: "`{member}` holds for no one, so everyone who has access by this automation would lose it",
      },
      empty: {
        message: "`{member}` is empty, so everyone who has access by this automation would lose it",
      },
      count: { message: "it would {will} for no one{why}; it {holds} {people:person/people} now{unheld}" },
    },
  },
  "guard/wider-defaults": {
    severity: "error",
    title: "The request defaults of an app let more through",
    help: "Check which entitlements get the defaults, then acknowledge it.",
    message: "the request defaults would count {ways&}",
  },
  "guard/emergency-open": {
    severity: "error",
    title: "People may ask for access in an emergency, under another policy",
    help: "Check the policy for emergencies, then acknowledge it.",
    message: "{what}, so people may ask under the policy for emergencies",
  },
  "guard/identity-moved": {
    severity: "error",
    title: "The accounts of an app are matched with people in another way",
    help: "Check in the browser whose accounts change, then acknowledge it.",
    message: "{changed&} would change, so accounts may belong to other people",
  },
  "guard/usage-revoke": {
    severity: "error",
    title: "The service begins to take access from people who do not use an app",
    help: "Check in the browser that the app has data of its use, then acknowledge it.",
    message: "the service would take access from people who did not use the app for {days:day}",
  },
  "guard/no-owner-left": {
    severity: "error",
    title: "The last owner of an app, an entitlement or a resource goes",
    help: "Acknowledge it only if no policy asks its owners.",
    message: "its last owner would go, so that a policy that asks the owners asks no one",
  },
  "guard/auto-approval": {
    severity: "error",
    title: "A policy gives or keeps access, and no person has to agree",
    help: "Add a step that asks a person, or acknowledge it.",
    message: "{unless}no person would have to agree{many}: {ways}",
  },
  "guard/machine-approval": {
    severity: "error",
    title: "A webhook or an agent can decide alone who gets or keeps access",
    help: "Add a step that asks a person, or acknowledge it.",
    message: "{unless}a machine could decide alone{many}: {ways}",
  },
  "guard/self-approval": {
    severity: "error",
    title: "People can agree to their own access, and no other person has to",
    help: "Remove `allowSelfApproval`, add a step that asks another person, or acknowledge it.",
    message: "{unless}people could agree to their own access{many}: {ways}",
  },
  "guard/falls-to-default": {
    severity: "error",
    title: "An object no longer names a policy, so that the default of its app or of the tenant decides",
    help: "Name a policy, or acknowledge it.",
    message: "{fields&} would no longer name {fields?a policy/policies}, so that the default decides",
  },
  "guard/unknown-current": {
    severity: "error",
    title: "remit would write an object that it has not read",
    help: "Check the object in the service, then acknowledge it.",
    cases: {
      "never written": {
        message: "it would be written unseen: it cannot be read, and the state has no record of it",
      },
      exists: {
        message:
          "it would be written unseen: the service says that it exists, and the state has no record of it",
      },
      "state lost": {
        message:
          "it would be written unseen: it cannot be read, and the state that may have recorded it is missing",
      },
      uncertain: { message: "it would be written unseen: an earlier write of it may have taken effect" },
      "not read": { message: "it would be written without reading the tenant's current value" },
      "may exist": {
        message:
          "it would be created without a state, and another object of the app may be the one that is meant",
      },
      "unseen half": {
        message: "the write replaces a field that the manifest does not write and that cannot be read",
      },
    },
  },
  "guard/reference-moved": {
    severity: "error",
    title: "A name in the manifest means another object than at the last apply",
    help: "Write the id of the object that is meant, or acknowledge it.",
  },
  "guard/max-losing": {
    severity: "error",
    title: "Many people would lose access",
    help: "Read who loses access, then acknowledge it. `guards.maxLosing` has no limit unless set.",
    message: "up to {people:person/people} would lose access; the limit is {limit}",
  },
  "guard/max-gaining": {
    severity: "error",
    title: "Many people would gain access",
    help: "Read who gains access, then acknowledge it. `guards.maxGaining` has no limit unless set.",
    message: "up to {people:person/people} would gain access; the limit is {limit}",
  },
  "guard/impact-unknown": {
    severity: "error",
    title: "A limit in people is set, and how many gain or lose access has no upper bound",
    help: "Raise `impact.calls`, or acknowledge it.",
    message: "a limit in people is set, and how many gain or lose access is unknown for {what}: {why}",
  },
  "guard/lock-out": {
    severity: "error",
    title: "The user of the credentials may lose access by a changed rule",
    help: "Check that you keep the access that you need, then acknowledge it.",
    message: "the user of these credentials may lose access by it",
  },
  "guard/conflict": {
    severity: "error",
    title: "People would newly hold both sides of an access conflict",
    help: "Change the rule, or acknowledge it. `guards.conflict: strict` also asks where this is possible and not certain. `remit impact --conflict NAME` shows who holds both sides now.",
    message: "{people} would newly hold {sides}, as far as its groups are known",
  },
} as const satisfies Section["rows"];

export const GUARD = {
  heading: "guard: rules over a plan",
  intro:
    "A guard stops the whole apply (exit code 4) until a person acknowledges it: `--acknowledge GUARD[=ADDRESS]`, or `acknowledge:` in `remit.yaml`, reviewed and with an end. With `of:`, an entry covers only the finding with this hash, which the plan prints.",
  rows: {
    ...GUARDS,
    "impact/on-what": {
      severity: "error",
      title: "`remit impact --on` names no entitlement",
      message: "{on!} is not an entitlement: an app and an alias or a name belong together",
      hint: "Write --on APP/ENTITLEMENT. `remit get apps` lists the apps, and `remit get entitlements/APP` what each has.",
      cases: {
        none: {
          message: "the service shows no entitlement {on!}",
          hint: "`remit get entitlements/{app}` lists them.{near}",
        },
        several: {
          message: "several entitlements have the name {on!}",
          hint: "Write the id of the right one: {ids,}.",
        },
      },
    },
    "impact/no-change": {
      severity: "error",
      title: "`remit impact --user` is asked about a step that changes no rule",
      message: "the tenant has no rule and no users of {address}, and the plan makes none",
      hint: "`remit plan` shows what it changes.",
    },
    "impact/rule-alone": {
      severity: "error",
      title: "`remit impact` is asked about two things, or about an entitlement without a rule",
      message: "the command asks about two things, or has --on without --rule",
      hint: "Write remit impact ADDRESS, remit impact --rule EXPRESSION --on APP/ENTITLEMENT, or remit impact --conflict NAME.",
    },
    "impact/nothing-asked": {
      severity: "error",
      title: "`remit impact` names no rule, no person and no conflict",
      message: "the command names no rule, no person and no conflict",
      hint: "Write remit impact ADDRESS, remit impact --rule EXPRESSION, remit impact --user EMAIL, or remit impact --conflict NAME.",
    },
    "impact/no-user": {
      severity: "error",
      title: "The service shows no user with this address",
      help: "Check the address, and whether the token may read users.",
      cases: {
        refused: {
          message: "the users could not be read: {refused}",
          hint: "Use credentials that may read users, or try again where the service was not available.",
        },
        budget: {
          message: "`impact.calls` of {calls} leaves no call for the users",
          hint: "Raise `impact.calls` in remit.yaml.",
        },
        none: {
          message: "the service shows no users to this token",
          hint: "Use credentials that may read users.",
        },
        all: {
          message: "none of {of} has the address {email}",
          hint: "Check the address. Deleted users are not shown.",
        },
        some: {
          message: "none of {of} has the address {email}",
          hint: "Raise `impact.calls` in remit.yaml, so that all users are read.",
        },
      },
    },
    "impact/ambiguous-user": {
      severity: "error",
      title: "Several users have this address",
      message: "several users have the address {email}: {ids}",
      hint: "Give the id of the user instead of the e-mail address.",
    },
    "impact/grew": {
      severity: "error",
      title: "More people lose access than the saved plan shows",
      hint: "Nothing was applied. Make the plan again, and review who loses access.",
      cases: {
        below: {
          message: "{name}: {more} would be deleted with it now than the plan shows",
        },
        people: {
          message: "{name}: up to {most} people may lose access now, and the plan shows up to {then}",
        },
      },
    },
    "guard/unknown": {
      severity: "error",
      title: "An acknowledgement names an unknown guard",
      help: "Correct its name; the table of guards lists them.",
      message: 'unknown guard "{guard}"',
      hint: "The guards are {guards`}.",
    },
    "guard/expired": {
      severity: "warning",
      title: "An acknowledgement has expired, and is still needed",
      message: "ended on {until}",
      hint: "Review it, and give it a new `until` in remit.yaml; or remove it.",
    },
    "guard/no-address": {
      severity: "note",
      title:
        "An acknowledgement names an address that the plan does not have, and a finding of its guard has nearly the same",
      help: "Correct the address. The hint names the one that was nearly written.",
      message: "the plan has no {address}, which the acknowledgement of {guard} names",
      hint: "Did you mean {kind}/{meant}?",
    },
    "guard/other-finding": {
      severity: "warning",
      title: "An acknowledgement with `of` is about another finding: the change is a different one now",
      help: "Review the change again, and write the new hash into `of`.",
      message: "{name} is of another finding: the change is not the one that was acknowledged",
      hint: "Review the change again. To acknowledge it, write `of: {hash}` in remit.yaml.",
    },
    "guard/long-term": {
      severity: "error",
      title: "An acknowledgement would hold for too long",
      help: "Write an earlier day. `guards.acknowledgeDays`: 90 days from today.",
      message: "ends on {until}, more than {days} days from today",
      hint: "Write {last} or an earlier day. `guards.acknowledgeDays` sets the number of days.",
    },
    "guard/no-day": {
      severity: "error",
      title: "An acknowledgement ends on a day that does not exist",
      message: "ends on {until}, which is not a day",
      hint: "Write the last day it holds, as in 2026-12-31.",
    },
  },
} as const satisfies Section;

/** The name of a guard, as findings and acknowledgements have it. */
export type GuardName = keyof typeof GUARDS extends `guard/${infer Name}` ? Name : never;
