import { placeOf } from "../../../diff/kept.js";
import { owns, unitsOf } from "../../../diff/own.js";
import {
  allPeople,
  type GuardView,
  KNOWN,
  NO_PEOPLE,
  type PeopleView,
  unknownPeople,
} from "../../../impact/guard/people.js";
import { kindOf } from "../../../kinds/index.js";
import { foundFor, isLive } from "../../../kinds/interface.js";
import { targetOf } from "../../../kinds/referable.js";
import { formatAddress } from "../../../model/address.js";
import type { JsonObject } from "../../../model/json.js";
import { formatPath } from "../../../model/path.js";
import { labelsBy } from "../../labels/otherLabels.js";
import { measureOf, movedBy } from "../../people/bounds.js";
import type { PlanImpact } from "../../people/impact.js";
import { isAboutUsers, questionsOf } from "../../people/question.js";
import { finder } from "../../people/totals.js";
import type { Planned } from "../../plan.js";
import { isDriftAlone } from "../../saved/showsAll.js";
import type { LabelSource, Labels } from "../../select/labels.js";
import type { Step } from "../../step.js";
import { type GuardAction, guardActionOf, type OwnGuard } from "./ownGuard.js";

/** Who may gain and lose by each step, by its address, with their attributes. A plan never contains it. */
export type PeopleMoves = ReadonlyMap<string, PeopleView>;

/** A step as guards see it. */
export interface GuardedStep {
  readonly step: Step;
  readonly action: GuardAction;
  /** Null where they are unknown. */
  readonly labels: Labels | null;
  /** What has these labels; null where nothing has any. */
  readonly labelsBy: LabelSource | "manifest" | null;
  readonly view: GuardView;
  readonly people: PeopleView;
}

/**
 * The steps that guards are asked about, each with the labels that one source has of its object. A step that also takes over what the tenant changed is there twice: with the
 * object as it was at the last apply, too.
 */
export function guardedSteps(
  { steps, interface: from, impact }: Pick<Planned, "steps" | "interface" | "impact">,
  moves: PeopleMoves | null,
  source: LabelSource | "manifest",
): readonly GuardedStep[] {
  const peopleOf = peopleFinder(moves, impact);
  return steps
    .filter((step) => !isDriftAlone(step))
    .toSorted((one, other) => (formatAddress(one.address) < formatAddress(other.address) ? -1 : 1))
    .flatMap((step): readonly GuardedStep[] => {
      const action = guardActionOf(step);
      if (action === null) return [];
      const found = labelsBy(source, step);
      const labels = found?.labels ?? null;
      const people = peopleOf(step);
      const seen = (before: Step["before"]) => ({
        step,
        action,
        labels,
        labelsBy: found?.by ?? null,
        view: viewOf({ ...step, before }, action, found, from),
        people,
      });
      if (step.recorded.driftedFrom === null) return [seen(step.before)];
      return action === "accept"
        ? [seen(step.recorded.driftedFrom)]
        : [seen(step.before), seen(step.recorded.driftedFrom)];
    });
}

function viewOf(
  step: Step,
  action: GuardAction,
  labelled: ReturnType<typeof labelsBy>,
  from: Planned["interface"],
): GuardView {
  const { address, changes } = step;
  const labels = labelled?.labels ?? null;
  const before = specOf(step, "before", action, from);
  const after = specOf(step, "after", action, from);
  return {
    values: {
      address: formatAddress(address),
      kind: address.kind,
      name: address.name,
      action,
      labels: labels ?? {},
      changed: [...new Set(changes.map(({ change }) => formatPath(placeOf(change))))],
      protected: step.managed.protected,
      before: typeof before === "string" ? {} : before.values,
      after: typeof after === "string" ? {} : after.values,
    },
    unknown: new Map([
      ...(labels === null ? [["labels", whyUnknown(labelled)] as const] : []),
      ...(typeof before === "string" ? [["before", before] as const] : []),
      ...(typeof after === "string" ? [["after", after] as const] : []),
    ]),
    inner: new Map([
      ...(typeof before === "string" ? [] : [["before", before] as const]),
      ...(typeof after === "string" ? [] : [["after", after] as const]),
    ]),
  };
}

function whyUnknown(labelled: ReturnType<typeof labelsBy>): string {
  return labelled === null
    ? "the object has no manifest"
    : `the manifest of the object ${PLACES[labelled.by]} is not known`;
}

/** Where labels are, in words. */
const PLACES: Readonly<Record<LabelSource | "manifest", string>> = {
  manifest: "in the project",
  "reviewed branch": "on the reviewed branch",
  state: "in the state",
  "earlier manifest": "at the commit of --since",
};

/** From which labels a guard trips, where they are not those of a manifest; empty where they are. */
export function saidOfLabels(
  { on, readsLabels }: Pick<OwnGuard, "on" | "readsLabels">,
  { labels, labelsBy: by }: Pick<GuardedStep, "labels" | "labelsBy">,
): string {
  if (!readsLabels || by === null || by === "manifest") return "";
  if (labels === null) return ` (the labels ${PLACES[by]} are not known)`;
  // A finding names no label that its guard does not name: others may be personal data.
  const named = on.as === "plan" ? [] : Object.entries(on.labels).map(([name, value]) => `${name}=${value}`);
  return ` (by the labels ${PLACES[by]}${named.length === 0 ? "" : `: ${named.join(", ")}`})`;
}

const NOTHING: GuardView = { values: {}, unknown: KNOWN };

/** One side of a step, or why it is unknown. What no one read is unknown, and not unset. */
function specOf(
  { address, managed: { identity, owned }, sight: { exists }, before, after }: Step,
  side: "before" | "after",
  action: GuardAction,
  found: Planned["interface"],
): GuardView | string {
  const [object, isNone] =
    side === "before"
      ? [before, exists === "no" || action === "create"]
      : [after, action === "delete" || action === "forget"];
  if (object === null) return isNone ? NOTHING : "it was not read";
  const { shape, verbs } = kindOf(address);
  const isWhole =
    isLive(found.kinds, address.kind) || verbs[foundFor(found.kinds, address.kind)].includes("create");
  const unread = isWhole
    ? []
    : unitsOf(shape)
        .filter((unit) => !owns(owned, unit) && !owns(Object.keys(object), unit))
        .flatMap(({ members }) => members);
  const values: JsonObject = { ...identity, ...object };
  return {
    values,
    unknown: new Map(unread.map((name) => [name, "remit does not manage it, and could not read it"])),
  };
}

/** What a step means for people. A first adoption, and an object that is no longer managed, change no one's access. */
function peopleFinder(moves: PeopleMoves | null, impact: PlanImpact | null): (step: Step) => PeopleView {
  const found = finder(impact);
  return (step) => {
    const questions = questionsOf([step]).filter((question) => measureOf(question) !== "requests");
    const isTarget = targetOf(kindOf(step.address)) !== undefined;
    // What nothing is asked about and a manifest may name is a review: it gives no access.
    if (questions.length === 0)
      return step.action === "delete" && isTarget ? { ...NO_PEOPLE, leave: LEFT } : NO_PEOPLE;
    const name = formatAddress(step.address);
    return allPeople(
      questions.map((question) => {
        if (isAboutUsers(question)) return moves?.get(name) ?? unknownPeople(whyUncounted(name, impact));
        const { more, fewer } = movedBy(question, found(question));
        return {
          ...NO_PEOPLE,
          gain: more.high === 0 ? NO_PEOPLE.gain : LOST,
          lose: fewer.high === 0 ? NO_PEOPLE.lose : LOST,
        };
      }),
    );
  };
}

const LEFT = { unknown: "who is in its reviews was not read" };

const LOST = { unknown: "who has access by it was not read" };

function whyUncounted(name: string, impact: PlanImpact | null): string {
  const left = impact?.uncounted.find(({ address }) => formatAddress(address) === name);
  const [failed] = impact?.failed ?? [];
  if (left !== undefined) return left.why;
  return failed === undefined ? "people were not counted" : `not all ${failed.what} could be read`;
}

/** What all steps together mean for people. */
export function peopleOfAll(steps: readonly GuardedStep[]): PeopleView {
  const each = new Map(steps.map(({ step, people }) => [formatAddress(step.address), people]));
  return allPeople([...each.values()].filter((people) => people !== NO_PEOPLE));
}
