import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf, parseExpression, textIn } from "../../manifest/cel.js";
import { isObject, type JsonObject } from "../../model/json.js";

/** What has to be read before a rule can be asked about people. */
export interface Needs {
  /** Entitlements whose members the rule asks for. */
  readonly members: readonly { readonly appId: string; readonly id: string }[];
  /** Apps whose accounts it asks for. */
  readonly apps: readonly string[];
  /** Whether it asks about other people than its subject. */
  readonly others: boolean;
  /** Groups that the rule finds by their names. */
  readonly groups: readonly string[];
}

const NOTHING: Needs = { members: [], apps: [], others: false, groups: [] };

/** What the rule of an automation or the users of a scope ask for, beside the person they are asked about. */
export function needsOf(condition: JsonObject | null | undefined): Needs {
  if (condition === null || condition === undefined) return NOTHING;
  const { entitlements } = condition;
  if (isObject(entitlements)) {
    const refs = Array.isArray(entitlements.entitlementRefs) ? entitlements.entitlementRefs : [];
    const members = refs.flatMap((ref) =>
      isObject(ref) ? [{ appId: String(ref.appId), id: String(ref.id) }] : [],
    );
    return { ...NOTHING, members };
  }
  const expression = expressionOf(condition);
  return expression === null ? NOTHING : needsOfText(expression);
}

/** The expression that a condition or the users of a scope are written as; null where they have none. */
export function expressionOf(condition: JsonObject): string | null {
  for (const name of ["cel", "basic", "celExpression"]) {
    const part = condition[name];
    if (isObject(part) && typeof part.expression === "string") return part.expression;
  }
  return null;
}

/** What several rules ask for together. */
export function allNeeds(some: readonly Needs[]): Needs {
  return {
    members: some.flatMap(({ members }) => members),
    apps: [...new Set(some.flatMap(({ apps }) => apps))],
    others: some.some(({ others }) => others),
    groups: [...new Set(some.flatMap(({ groups }) => groups))],
  };
}

/** What an expression asks for. */
export function needsOfText(expression: string): Needs {
  try {
    return needsOfExpression(parseExpression(expression).ast);
  } catch {
    return NOTHING;
  }
}

/** What an expression that was parsed asks for. */
export function needsOfExpression(ast: ASTNode): Needs {
  return allNeeds(nodesOf(ast).flatMap(needsAt));
}

const ASKS_OTHERS = new Set(["FindByEmail", "GetByID", "FindByName", "GetManagers", "DirectReports"]);

/** What one node of an expression asks for. */
function needsAt(node: ASTNode): readonly Needs[] {
  if (node.op === "." && node.args[1] === "manager") return [{ ...NOTHING, others: true }];
  if (node.op !== "rcall") return [];
  const [name, receiver, values] = node.args;
  const texts = values.map((value) => textIn(value) ?? undefined);
  if (name === "FindByName" && isOfGroups(receiver))
    return texts[0] === undefined ? [] : [{ ...NOTHING, groups: [texts[0]] }];
  if (ASKS_OTHERS.has(name)) return [{ ...NOTHING, others: true }];
  if (name === "HasEntitlement") return membersOf(texts[1], texts[2]);
  if (name === "GetEntitlementMembers")
    return [{ ...NOTHING, others: true }, ...membersOf(texts[0], texts[1])];
  const app = name === "HasApp" || name === "GetAppUserStatus" ? texts[1] : undefined;
  return app === undefined ? [] : [{ ...NOTHING, apps: [app] }];
}

/** Whether a function is one of `c1.directory.groups.v1`. */
function isOfGroups(receiver: ASTNode): boolean {
  return receiver.op === "." && receiver.args[0].op === "." && receiver.args[0].args[1] === "groups";
}

function membersOf(appId: string | undefined, id: string | undefined): readonly Needs[] {
  return appId === undefined || id === undefined ? [] : [{ ...NOTHING, members: [{ appId, id }] }];
}
