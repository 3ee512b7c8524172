import type { ASTNode } from "@marcbachmann/cel-js";
import { parseExpression, textIn } from "../manifest/cel.js";
import { isObject, type JsonObject } from "../model/json.js";
import { fieldNamed } from "./fieldNames.js";
import { unreadBy } from "./rule/reach.js";

/** The fields of a user that the service's own search filters by. */
const FILTERED = ["department", "jobTitle", "manager_id"] as const;

/** Values of which everyone has one whom a rule can match. Null: all people can be matched. */
export type Demand = Readonly<Partial<Record<(typeof FILTERED)[number], readonly string[]>>> | null;

/** More values than this would make a search longer than the list of users is worth. */
const MOST_VALUES = 50;

/**
 * What a rule or the users of a scope demand of everyone whom they can match. Whatever else is unknown, the rule is false
 * for all others. `no one` where no rule exists; undefined stands for a rule that was not seen.
 */
export function demandOf(condition: JsonObject | null | undefined): Demand | "no one" {
  if (condition === undefined) return null;
  if (condition === null || isObject(condition.none)) return "no one";
  const written = isObject(condition.cel) ? condition.cel : condition.celExpression;
  if (!isObject(written) || typeof written.expression !== "string") return null;
  try {
    const demand = filled(demandIn(parseExpression(written.expression).ast));
    // For how many of all users such a rule is unknown decides a guard.
    return demand === null || unreadBy(written.expression) !== null ? null : demand;
  } catch {
    return null;
  }
}

/** What any of several rules demands: everyone whom one of them can match has one of these values. */
export function demandOfAll(demands: readonly (Demand | "no one")[]): Demand {
  const some = demands.filter((demand) => demand !== "no one");
  const [first, ...others] = some;
  if (first === undefined) return null;
  return filled(others.reduce<Found>((sum, other) => either(sum, other ?? {}), first ?? {}));
}

type Found = Partial<Record<string, readonly string[]>>;

function filled(found: Found): Demand {
  const usable = FILTERED.flatMap((field) => {
    const values = [...new Set(found[field] ?? [])].sort();
    const isUsable = values.length > 0 && values.length <= MOST_VALUES && !values.includes("");
    return isUsable ? [[field, values] as const] : [];
  });
  return usable.length === 0 ? null : Object.fromEntries(usable);
}

function demandIn(node: ASTNode): Found {
  switch (node.op) {
    case "&&":
      return both(demandIn(node.args[0]), demandIn(node.args[1]));
    case "||":
      return either(demandIn(node.args[0]), demandIn(node.args[1]));
    case "==":
      return { ...equality(node.args[0], node.args[1]), ...equality(node.args[1], node.args[0]) };
    case "in":
      return membership(node.args[0], node.args[1]);
    default:
      return {};
  }
}

// Both sides hold, so the shorter list of values is enough.
function both(one: Found, other: Found): Found {
  const entries = FILTERED.flatMap((field) => {
    const [a, b] = [one[field], other[field]];
    const values = a === undefined || b === undefined ? (a ?? b) : a.length <= b.length ? a : b;
    return values === undefined ? [] : [[field, values] as const];
  });
  return Object.fromEntries(entries);
}

function either(one: Found, other: Found): Found {
  const entries = FILTERED.flatMap((field) => {
    const [a, b] = [one[field], other[field]];
    return a === undefined || b === undefined ? [] : [[field, [...a, ...b]] as const];
  });
  return Object.fromEntries(entries);
}

function equality(field: ASTNode, value: ASTNode): Found {
  const name = fieldOf(field);
  const text = textIn(value);
  return name === null || text === null ? {} : { [name]: [text] };
}

function membership(field: ASTNode, values: ASTNode): Found {
  const name = fieldOf(field);
  if (name === null || values.op !== "list") return {};
  const texts = values.args.map(textIn);
  return texts.includes(null) ? {} : { [name]: texts.filter((text) => text !== null) };
}

function fieldOf(node: ASTNode): string | null {
  if (node.op !== "." || node.args[0].op !== "id" || node.args[0].args !== "subject") return null;
  const name = String(node.args[1]);
  return name === "manager_id" ? name : fieldNamed(name);
}
