import { isWithoutRule } from "../impact/automation.js";
import { type ConflictFacts, type ConflictPart, type Move, newlyInConflict } from "../impact/conflict.js";
import { type Count, NONE, UNCOUNTED } from "../impact/count.js";
import { kindOf } from "../kinds/index.js";
import type { ConflictGroups } from "../kinds/kind.js";
import { type EntitlementRef, eachRefOnce, type Holders, isSameRef, refName } from "../kinds/people.js";
import type { Resource } from "../manifest/resource.js";
import { type Address, byAddress, formatAddress } from "../model/address.js";
import { groupBy } from "../model/groupBy.js";
import type { JsonObject } from "../model/json.js";
import { pendingIn } from "../model/pending.js";
import { type ConflictImpact, peopleCount } from "../plan/people/impact.js";
import { isAboutUsers, isUnchanged, type PeopleQuestion } from "../plan/people/question.js";
import type { Plan } from "../plan/plan.js";
import { recordLookup } from "../plan/record/lookup.js";
import type { Step } from "../plan/step.js";
import type { Snapshot } from "../state/snapshot.js";
import type { PersonNames } from "./access.js";
import type { HoldersCounted } from "./holdings.js";
import { plainSpec } from "./plainSpec.js";

/** A conflict that a manifest describes. */
export interface DescribedConflict extends ConflictGroups {
  readonly address: Address;
}

/** The conflicts of a project, also those that the plan is not about: with the groups that a step writes, else those of the state or the manifest. */
export function conflictsOf(
  { steps }: Pick<Plan, "steps">,
  resources: readonly Resource[],
  snapshot: Snapshot | null,
  apps: Readonly<Record<string, string>>,
): readonly DescribedConflict[] {
  const memory = recordLookup(snapshot);
  const stepOf = new Map(steps.map((step) => [formatAddress(step.address), step]));
  const all = new Map<string, readonly [Address, JsonObject]>();
  const set = (address: Address, object: JsonObject) => all.set(formatAddress(address), [address, object]);
  for (const resource of resources)
    if (isConflict(resource.address))
      set(
        resource.address,
        plainSpec(resource, kindOf(resource.address).shape, { apps, user: (email) => email }),
      );
  for (const { address, applied } of memory.entries)
    if (isConflict(address) && memory.holder(address) !== null) set(address, applied);
  for (const { address, after, before } of steps)
    if (isConflict(address) && (after ?? before) !== null) set(address, after ?? before ?? {});
  return [...all.values()]
    .filter(([address]) => isDescribed(stepOf.get(formatAddress(address))))
    .map(([address, object]) => ({ address, ...groupsOf(address, object) }))
    .sort((one, other) => byAddress(one.address, other.address));
}

function isConflict(address: Address): boolean {
  return kindOf(address).concern.as === "conflict";
}

function groupsOf(address: Address, object: JsonObject): ConflictGroups {
  const { concern } = kindOf(address);
  return concern.as === "conflict" ? concern.groups(object) : { groupA: [], groupB: [], isNegated: false };
}

const GOES: ReadonlySet<Step["action"]> = new Set(["delete", "forget", "removed"]);

function isDescribed(step: Step | undefined): boolean {
  return step === undefined || !GOES.has(step.action);
}

/** A conflict, and what moves people in its groups. */
interface MovedConflict {
  readonly conflict: DescribedConflict;
  readonly questions: readonly PeopleQuestion[];
}

/** The conflicts in whose groups a plan may move people. */
export function movedConflicts(
  conflicts: readonly DescribedConflict[],
  all: readonly PeopleQuestion[],
): readonly MovedConflict[] {
  if (conflicts.length === 0) return [];
  const questions = all.filter((question) => !(isAboutUsers(question) && isUnchanged(question)));
  return conflicts.flatMap((conflict) => {
    const refs = refsIn(conflict);
    const moving = questions.filter((question) => refs.some((ref) => touches(question, ref)));
    return moving.length === 0 ? [] : [{ conflict, questions: moving }];
  });
}

/** The entitlements in the groups of a conflict, each once. */
export function refsIn({ groupA, groupB }: ConflictGroups): readonly EntitlementRef[] {
  return eachRefOnce([...groupA, ...groupB]);
}

function touches(question: PeopleQuestion, ref: EntitlementRef): boolean {
  switch (question.as) {
    case "members":
      return isSameRef(question.entitlement, ref) || isOffered(question, ref);
    case "enrolled":
      return isOffered(question, ref);
    case "holdings":
      return question.of.as === "entitlement"
        ? isSameRef(question.of, ref) || isOffered(question, ref)
        : question.of.appId === ref.appId;
    default:
      return false;
  }
}

function isOffered({ offered }: { readonly offered: readonly EntitlementRef[] }, ref: EntitlementRef) {
  return offered.some((one) => isSameRef(one, ref));
}

/** What was counted of the steps of a plan, and read of those who hold what is in the groups. */
interface ConflictReads {
  readonly members: ReadonlyMap<string, Holders>;
  readonly moved: ReadonlyMap<PeopleQuestion, Move>;
  readonly holders: readonly HoldersCounted[];
  readonly names: PersonNames;
  readonly nameOf: (ref: EntitlementRef) => string | null;
}

/** Where nothing was read. */
const NOTHING_READ: ConflictReads = {
  members: new Map(),
  moved: new Map(),
  holders: [],
  names: null,
  nameOf: () => null,
};

/** Who would newly hold both sides of each conflict. */
export function countConflicts(
  some: readonly MovedConflict[],
  reads: ConflictReads = NOTHING_READ,
): readonly ConflictImpact[] {
  return some.map(({ conflict, questions }) => {
    const facts = factsOf(conflict, questions, reads);
    const unread = refsIn(conflict).filter((ref) => holdersOf(ref, reads.members) === null);
    return {
      ...conflict,
      newly: peopleCount(newlyInConflict(facts), reads.names),
      movedBy: [...groupBy(questions, ({ step }) => formatAddress(step.address)).values()].flatMap(
        ([first]) => (first === undefined ? [] : [first.step.address]),
      ),
      unread: unread.map((ref) => ({ ...ref, name: reads.nameOf(ref) })),
    };
  });
}

/** What is known of the groups of a conflict. */
export function factsOf(
  conflict: ConflictGroups,
  questions: readonly PeopleQuestion[],
  { members, moved, holders }: Pick<ConflictReads, "members" | "moved" | "holders">,
): ConflictFacts {
  const isIn = (group: readonly EntitlementRef[], ref: EntitlementRef) =>
    group.some((one) => isSameRef(one, ref));
  const parts = refsIn(conflict).map((ref): ConflictPart => {
    const touching = questions.filter((question) => touches(question, ref));
    const counted = (question: PeopleQuestion) => holders.find((one) => one.question === question);
    return {
      inA: isIn(conflict.groupA, ref),
      inB: isIn(conflict.groupB, ref),
      holders: holdersOf(ref, members),
      moves: touching.flatMap((question) => moveOf(question, ref, moved.get(question), counted(question))),
      isDeleted: touching.some((question) => deletes(question, ref, counted(question))),
    };
  });
  return { isNegated: conflict.isNegated, parts };
}

/** No one holds what the plan creates. */
function holdersOf(ref: EntitlementRef, members: ConflictReads["members"]): Holders | null {
  return ref.appId === "" || pendingIn([ref.appId, ref.id]).length > 0
    ? new Map()
    : (members.get(refName(ref)) ?? null);
}

function deletes(question: PeopleQuestion, ref: EntitlementRef, counted: HoldersCounted | undefined) {
  if (question.as !== "holdings") return false;
  if (question.of.as === "entitlement") return isSameRef(question.of, ref);
  return question.of.as === "app" || counted?.under?.refs.has(refName(ref)) === true;
}

const NOT_GIVEN: Move["given"] = new Map();

/** How a step moves those who hold an entitlement; nothing where it does not. */
function moveOf(
  question: PeopleQuestion,
  ref: EntitlementRef,
  moved: Move | undefined,
  counted: HoldersCounted | undefined,
): readonly Move[] {
  switch (question.as) {
    case "members": {
      const { before, after } = question;
      const move = moved ?? {
        gains: isWithoutRule(after) ? NONE : UNCOUNTED,
        loses: before === null ? NONE : UNCOUNTED,
        given: NOT_GIVEN,
      };
      return [isSameRef(question.entitlement, ref) ? move : perhaps(move)];
    }
    case "enrolled":
      return [
        {
          gains: question.gives ? (counted?.gains ?? UNCOUNTED) : NONE,
          loses: question.takes ? (counted?.loses ?? UNCOUNTED) : NONE,
          given: NOT_GIVEN,
        },
      ];
    case "holdings":
      return mayDelete(question, ref, counted) ? [{ gains: NONE, loses: UNCOUNTED, given: NOT_GIVEN }] : [];
    default:
      return [];
  }
}

/** Those who are enrolled get what a profile offers; when, and whether they keep it, is not documented. */
function perhaps({ gains, loses, given }: Move): Move {
  const notSure = (count: Count): Count => ({ ...count, low: 0 });
  const perhapsGiven = new Map([...given.keys()].map((id) => [id, null] as const));
  return { gains: notSure(gains), loses: notSure(loses), given: perhapsGiven };
}

/** Whether anyone may lose an entitlement by a delete: its profile goes, or what goes with the object was not read. */
function mayDelete(
  question: Extract<PeopleQuestion, { as: "holdings" }>,
  ref: EntitlementRef,
  counted: HoldersCounted | undefined,
): boolean {
  if (question.of.as === "entitlement") return isOffered(question, ref);
  return question.of.as !== "app" && counted?.under?.isAll !== true;
}
