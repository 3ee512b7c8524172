import type { Holders } from "../kinds/people.js";
import { type Count, Tally } from "./count.js";

/** What a step, or a rule that follows one, does to those who hold an entitlement. */
export interface Move {
  readonly gains: Count;
  readonly loses: Count;
  /** By id: whether a person has it afterwards, for certain or perhaps, whatever they had. */
  readonly given: ReadonlyMap<string, true | null>;
}

/** An entitlement in a group of a conflict: who holds it, and what moves them. */
export interface ConflictPart {
  readonly inA: boolean;
  readonly inB: boolean;
  /** Null where they were not read. */
  readonly holders: Holders | null;
  readonly moves: readonly Move[];
  /** Whether the plan deletes it: no one holds it afterwards. */
  readonly isDeleted: boolean;
}

/** What a conflict forbids, as far as its groups are known. */
export interface ConflictFacts {
  /** Whether it forbids group A without group B, instead of both. */
  readonly isNegated: boolean;
  readonly parts: readonly ConflictPart[];
}

/** Who holds both sides afterwards and does not now: for certain, and at most. */
export function newlyInConflict(facts: ConflictFacts): Count {
  const parts = facts.parts.map(openMoves);
  const isFree = parts.every((part) => part.moves.every(({ others }) => others === 0));
  const movers = parts.flatMap((part) => [
    ...part.moves.flatMap(({ gains, loses }) => [...gains.possible, ...loses.possible]),
    ...(part.isDeleted || !isFree ? (part.holders?.keys() ?? []) : []),
  ]);
  const isNew = ([wasIn, isIn]: Times) => isIn && !wasIn;
  const others = othersIn(parts, facts.isNegated);
  return countWhere(new Set(movers), facts.isNegated, parts, isNew, others);
}

/** Who holds both sides now. */
export function nowInConflict({ isNegated, parts }: ConflictFacts): Count {
  const still = parts.map((part) => openMoves({ ...part, moves: [], isDeleted: false }));
  const holders = new Set(still.flatMap((part) => [...(part.holders?.keys() ?? [])]));
  return countWhere(holders, isNegated, still, ([wasIn]) => wasIn, null);
}

/** Whether someone is in the conflict before and after. */
type Times = readonly [before: boolean, after: boolean];

function countWhere(
  people: ReadonlySet<string>,
  isNegated: boolean,
  parts: readonly OpenPart[],
  isMeant: (times: Times) => boolean,
  others: number | null,
): Count {
  const tally = new Tally();
  const answersFor = (id: string | null) => casesOf(id, parts).map((one) => isMeant(timesOf(one, isNegated)));
  for (const id of people) {
    const answers = answersFor(id);
    const [certain, possible] = [!answers.includes(false), answers.includes(true)];
    tally.add([id], {
      certain,
      possible,
      assumed: certain ? true : possible ? null : false,
      assumptions: [],
    });
  }
  // Of someone whom no list shows, the same is known for each.
  return tally.count(answersFor(null).includes(true) ? others : 0);
}

/** What someone may hold of both groups, before and after: A, B, A, B. */
type Case = readonly [boolean, boolean, boolean, boolean];

/** Every case that is possible for a person; null for one whom no list shows. */
function casesOf(id: string | null, parts: readonly OpenPart[]): readonly Case[] {
  let cases = new Map<string, Case>([["", [false, false, false, false]]]);
  for (const part of parts) {
    const next = new Map<string, Case>();
    for (const [a, b, laterA, laterB] of cases.values())
      for (const [was, is] of holdsTimes(id, part)) {
        const { inA, inB } = part;
        const one: Case = [
          a || (inA && was),
          b || (inB && was),
          laterA || (inA && is),
          laterB || (inB && is),
        ];
        next.set(one.join(), one);
      }
    cases = next;
  }
  return [...cases.values()];
}

function timesOf([a, b, laterA, laterB]: Case, isNegated: boolean): Times {
  return [a && b !== isNegated, laterA && laterB !== isNegated];
}

/** Some people by what is known of them, and how many more there may be; null for any number. */
interface Some {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
  readonly others: number | null;
}

interface OpenPart extends Omit<ConflictPart, "moves"> {
  readonly moves: readonly {
    readonly gains: Some;
    readonly loses: Some;
    readonly given: Move["given"];
    readonly others: number | null;
  }[];
}

function openMoves(part: ConflictPart): OpenPart {
  const moves = part.moves.map((move) => {
    const [gains, loses] = [someOf(move.gains), someOf(move.loses)];
    return { given: move.given, gains, loses, others: sum([gains.others, loses.others]) };
  });
  return { ...part, moves };
}

function someOf({ people, low, high }: Count): Some {
  return {
    certain: new Set(people.slice(0, low)),
    possible: new Set(people),
    others: high === null ? null : Math.max(0, high - people.length),
  };
}

/** Whether someone may hold an entitlement before and after, in every way that is possible. */
function holdsTimes(id: string | null, part: OpenPart): readonly Times[] {
  const { moves, isDeleted } = part;
  const isIn = (some: ReadonlySet<string>) => id !== null && some.has(id);
  const mayBeIn = ({ possible, others }: Some) => isIn(possible) || others !== 0;
  const [gains, loses] = [
    moves.some((one) => isIn(one.gains.certain)),
    moves.some((one) => isIn(one.loses.certain)),
  ];
  const mayGain = moves.some((one) => mayBeIn(one.gains));
  const mayLose = moves.some((one) => mayBeIn(one.loses));
  const given = moves.map((one) => (id === null ? undefined : one.given.get(id)));
  const isGiven = given.includes(true);
  const mayBeGiven = isGiven || given.includes(null);
  return heldNow(id, part, gains, loses).flatMap((was): readonly Times[] => {
    if (isDeleted) return [[was, false]];
    const mayHold = was ? !loses || mayGain || mayBeGiven : mayGain || isGiven;
    const mayLack = !isGiven && (was ? mayLose : !gains);
    return [...(mayHold ? [[was, true] as const] : []), ...(mayLack ? [[was, false] as const] : [])];
  });
}

/** Whether someone holds it now: by the list of its holders, else by what is certain of who moves. */
function heldNow(
  id: string | null,
  { holders }: OpenPart,
  gains: boolean,
  loses: boolean,
): readonly boolean[] {
  if (holders === null) return gains ? [false] : loses ? [true] : [true, false];
  if (id === null || !holders.has(id)) return [false];
  return holders.get(id) === true ? [true] : [true, false];
}

/** How many people there may be whom no list shows and whom a step moves into the conflict. */
function othersIn(parts: readonly OpenPart[], isNegated: boolean): number | null {
  const isOpen = isNegated && parts.some((part) => part.isDeleted && part.holders === null);
  return isOpen ? null : sum(parts.flatMap(({ moves }) => moves.map(({ others }) => others)));
}

function sum(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((total, one) => (total === null || one === null ? null : total + one), 0);
}
