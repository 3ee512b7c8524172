import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { firstOf } from "../../words/more.js";
import { say } from "../../words/say.js";
import { locate, memberOf, type Written } from "../locate.js";
import type { ExpansionBudget } from "./budget.js";

/** A value, and where it is written. */
export interface Part {
  readonly value: Json;
  readonly written: Written;
}

/** What names mean at one place of a manifest: the named values of the project, and the row of a shape. */
export interface Scope {
  readonly names: readonly string[];
  /**
   * What a name means for one place; null where it means nothing because of a mistake that was reported before. Without a
   * place it is only looked up, and no mistake is reported.
   */
  readonly find: (name: string, at: Written | null) => Part | null | undefined;
  /** What may still be made of names. */
  readonly budget: ExpansionBudget;
}

/** The mistakes of an expansion, one by one. */
export type Tell = (diagnostic: Diagnostic) => void;

/** A scope with one name more: the row of a shape. */
export function withRow(scope: Scope, as: string, row: Part): Scope {
  return {
    ...scope,
    names: [as, ...scope.names],
    find: (name, at) => (name === as ? row : scope.find(name, at)),
  };
}

/** What a name and its members mean, as in `d.name`; null where they mean nothing, which is reported. */
export function lookUp(reference: string, scope: Scope, at: Written, tell: Tell): Part | null {
  const [name = "", ...members] = reference.split(".");
  const found = scope.find(name, at);
  if (found === null) return null;
  if (found === undefined) {
    const hint = didYouMean(name, scope.names) ?? listed(scope.names);
    tell(say("value/unknown#unknownValue", { name: name || '""' }, { ...locate(at, []), hint }));
    return null;
  }
  let part = found;
  let path = name;
  for (const member of members) {
    const { value } = part;
    if (!isObject(value) || !Object.hasOwn(value, member)) {
      const names = isObject(value) ? Object.keys(value) : [];
      const place = { ...locate(at, []), hint: didYouMean(member, names) ?? listed(names) };
      tell(
        say(isObject(value) ? "value/unknown#noMember" : "value/unknown#noMembers", { path, member }, place),
      );
      return null;
    }
    part = { value: value[member] ?? null, written: memberOf(part.written, member) };
    path = `${path}.${member}`;
  }
  return part;
}

const MOST_LISTED = 10;

function listed(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `It can be ${firstOf(names, MOST_LISTED)}.`;
}
