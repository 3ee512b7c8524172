import type { Section } from "./saying.js";

export const STATEMENT = {
  heading: "statements: what a plan or an outcome says besides its steps",
  intro:
    "Every format shows each of them. Of the objects that a statement lists, a format may show the first and the number of the rest.",
  rows: {
    "state/none": {
      severity: "warning",
      title: "A plan has no state",
      help: "Without a state, remit cannot know who changed a field, or which manifests were deleted. The first apply writes one.",
    },
    "plan/undoes-nothing": {
      severity: "warning",
      title: "A change undoes nothing in the tenant",
      help: "It only gives fields back or removes manifests. The plan prints the lines that restore what was there before.",
    },
    "people/access": {
      severity: "note",
      title: "Who gains and loses access by a plan",
      help: "Each person counts once, however many rules change. The first number is certain, the second is possible.",
    },
    "people/requests": {
      severity: "note",
      title: "Who may request something changes",
      help: "How many people that is was not counted. Read what the access profile offers, and who sees it.",
    },
    "people/reviews-follow": {
      severity: "warning",
      title: "A review that stays asks for what a changed rule gives",
      help: "Its users change with the holders, from the next campaign on.",
    },
    "people/follow": {
      severity: "warning",
      title: "A rule that stays asks for what a changed rule gives",
      help: "Who gains and loses by its next run is counted one step far. What asks for its own entitlement is named, and not counted.",
    },
    "people/reviews": {
      severity: "note",
      title: "Who enters and leaves a review by a plan",
      help: "People who leave a review keep their access.",
    },
    "people/unknown-attribute": {
      severity: "warning",
      title: "A rule asks for a member of the profile that no user has who was read",
      help: "Correct the name, or fill the attribute first: until then, no one matches that part of the rule.",
    },
    "people/no-match": {
      severity: "warning",
      title: "A rule that is new matches no user",
      help: "Correct the value; the nearest that several users have is shown. Ignore the warning where the people do not exist yet.",
    },
    "people/unknown": {
      severity: "warning",
      title: "A read for counting people failed",
      help: "The plan is whole without it. Give the token the permission, or set no limits in people.",
    },
    "people/not-counted": {
      severity: "warning",
      title: "The people of some steps were not counted",
      help: "The text says why. Until they are counted, any number of people may gain or lose by these steps.",
    },
    "settings/source": {
      severity: "note",
      title: "Where the settings in force come from",
      help: "`--settings-from` named it.",
    },
    "settings/proposed": {
      severity: "warning",
      title: "A change proposes settings that permit more",
      help: "They are in force once the change is merged.",
    },
    "settings/answers": {
      severity: "warning",
      title: "A change answers findings with its own settings",
      help: "They are answered once the change is merged: merging it is the decision.",
    },
    "settings/intent": {
      severity: "warning",
      title: "A change decides settings that are part of the plan",
      help: "Review them like the manifests.",
    },
    "settings/tightened": {
      severity: "note",
      title: "A change proposes settings that permit less",
      help: "They are in force at once.",
    },
    "settings/loosened": {
      severity: "warning",
      title: "Settings permit more than the default",
      help: "Review each of them.",
    },
    "plan/labels": {
      severity: "note",
      title: "Labels of manifests change",
      help: "No call sends a label, and an apply records it. A guard is asked with the labels before, too.",
    },
    "plan/pending-already": {
      severity: "note",
      title: "Something was pending without the change",
      help: "An apply of a plan with `--since` does none of it.",
    },
    "plan/unapplied": {
      severity: "warning",
      title: "Merged changes were not applied completely",
      help: "`remit approved` lists them.",
    },
    "plan/not-seen": {
      severity: "warning",
      title: "A plan could not see something",
      help: "What was not read is unknown. It counts neither as absent nor as equal.",
    },
    "plan/written-unseen": {
      severity: "warning",
      title: "Objects are written without being seen",
      help: "`guards.firstWrite` allows it for keys without a record.",
    },
    "plan/undecided": {
      severity: "warning",
      title: "Removed objects wait for a decision",
      help: "Decide under `removed:` in `remit.yaml`, or use `--prune`.",
    },
    "plan/spelled-otherwise": {
      severity: "note",
      title: "The service spells values otherwise",
      help: "They are equal.",
    },
    "plan/not-compared": {
      severity: "note",
      title: "Members of objects are not compared",
      help: "The service sets them, or remit has no name for them.",
    },
    "plan/calls": {
      severity: "note",
      title: "How many calls a plan made, and how many an apply makes",
      help: "The time is an estimate.",
    },
    "plan/calls-by-kind": {
      severity: "note",
      title: "The calls of each kind",
      help: "The same calls, apart.",
    },
    "unmanaged/all": {
      severity: "note",
      title: "What the tenant has that is not managed",
      help: "Write a manifest with `remit import`, delete the object, or leave it out under `ignore:`.",
    },
    "unmanaged/seen": {
      severity: "note",
      title: "The lists of a plan show objects that are not managed",
      help: "`--unmanaged` shows all.",
    },
    "unmanaged/ignored": {
      severity: "note",
      title: "Settings leave unmanaged objects out",
      help: "See `ignore:` in `remit.yaml`.",
    },
    "apply/cost": {
      severity: "note",
      title: "The calls of an apply, and its time",
      help: "Retries and waiting for the service are part of it.",
    },
    "apply/in-effect": {
      severity: "note",
      title: "When the service does what was applied",
      help: "The service runs rules hourly, and a campaign keeps the scope that it was cut with.",
    },
    "apply/next": {
      severity: "warning",
      title: "What to do after an apply",
      help: "Something is left to do.",
    },
  },
} as const satisfies Section;
