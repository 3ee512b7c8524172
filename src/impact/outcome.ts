import { type Holding, holding, inclusionOf, type Truth } from "./holding.js";

/** What an edit of an automation means for one person. */
export type AccessOutcome = "gains" | "loses" | "keeps" | "stays";

/** What may happen to a person, and what of it is certain. Nothing, where no rule concerns them. */
export function outcomesOf(
  old: Holding,
  fresh: Holding,
  member: Holding,
  excluded: Truth,
): readonly { readonly outcome: AccessOutcome; readonly isCertain: boolean }[] {
  return QUESTIONS.flatMap(([outcome, question]) => {
    const { certain, possible } = inclusionOf(
      [old, fresh, member, holding(excluded), staysIn(excluded)],
      question,
    );
    return possible ? [{ outcome, isCertain: certain }] : [];
  });
}

/**
 * Whether a member stays one, whatever the rule says of them. Someone who is left out, and did not come by hand, goes at the
 * next run: that is likely, and not documented.
 */
export function staysIn(excluded: Truth): Holding {
  if (excluded !== true) return holding(excluded === null ? null : true);
  return { depends: ["excluded"], under: (isFalse) => (isFalse.has("excluded") ? true : null), why: null };
}

/** Whether a rule holds. */
export function holds([is]: readonly (Truth | undefined)[]) {
  return { certain: is === true, possible: is !== false };
}

/** Whether both rules hold. */
export function areBoth([old, fresh]: readonly (Truth | undefined)[]) {
  return { certain: old === true && fresh === true, possible: old !== false && fresh !== false };
}

/** Gains: a person matched by both rules, and not a member yet, gets it by the old rule as well. */
export function isGain([old, fresh, member, excluded]: readonly (Truth | undefined)[]) {
  return {
    certain: old === false && fresh === true && member === false && excluded === false,
    possible: old !== true && fresh !== false && member !== true && excluded !== true,
  };
}

/** Loses: a member who was also added by hand stays, and the service does not say who was. */
export function isLoss([old, fresh, member]: readonly (Truth | undefined)[]) {
  return { certain: false, possible: old !== false && fresh !== true && member !== false };
}

/** Keeps: a member whom both rules match, and who is not left out. */
export function isKept([old, fresh, member, , stays]: readonly (Truth | undefined)[]) {
  return {
    certain: old === true && fresh === true && member === true && stays === true,
    possible: old !== false && fresh !== false && member !== false && stays !== false,
  };
}

/** A member whom neither rule matches: they came by hand or by a request, and stay. */
export function isOther([old, fresh, member]: readonly (Truth | undefined)[]) {
  return {
    certain: old === false && fresh === false && member === true,
    possible: old !== true && fresh !== true && member !== false,
  };
}

/** Whether the rule gives it to a person from now on, whether they have it or not. */
export function isGiven([fresh, excluded]: readonly (Truth | undefined)[]) {
  return { certain: fresh === true && excluded === false, possible: fresh !== false && excluded !== true };
}

const QUESTIONS = [
  ["gains", isGain],
  ["loses", isLoss],
  ["keeps", isKept],
  ["stays", isOther],
] as const;
