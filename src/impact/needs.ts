import type { ASTNode } from "@marcbachmann/cel-js";
import { GRAMMAR } from "../manifest/cel.js";
import { isObject, type JsonObject } from "../model/json.js";
import { nodesIn } from "./nodes.js";

/** What has to be read before a rule can be asked about people. */
export interface Needs {
  /** Entitlements whose members the rule asks for. */
  readonly members: readonly { readonly appId: string; readonly id: string }[];
  /** Apps whose accounts it asks for. */
  readonly apps: readonly string[];
  /** Whether it asks about other people than its subject. */
  readonly others: boolean;
}

const NOTHING: Needs = { members: [], apps: [], others: false };

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
  for (const name of ["cel", "basic", "celExpression"]) {
    const part = condition[name];
    if (isObject(part) && typeof part.expression === "string") return needsOfText(part.expression);
  }
  return NOTHING;
}

/** What several rules ask for together. */
export function allNeeds(some: readonly Needs[]): Needs {
  return {
    members: some.flatMap(({ members }) => members),
    apps: [...new Set(some.flatMap(({ apps }) => apps))],
    others: some.some(({ others }) => others),
  };
}

function needsOfText(expression: string): Needs {
  try {
    return allNeeds(needsIn(GRAMMAR.parse(expression.trimEnd()).ast));
  } catch {
    return NOTHING;
  }
}

const ASKS_OTHERS = new Set(["FindByEmail", "GetByID", "FindByName", "GetManagers", "DirectReports"]);

function needsIn(node: ASTNode): readonly Needs[] {
  const inner = nodesIn(node.args).flatMap(needsIn);
  if (node.op === "." && node.args[1] === "manager") return [{ ...NOTHING, others: true }, ...inner];
  if (node.op !== "rcall") return inner;
  const [name, , values] = node.args;
  const texts = values.map(({ op, args }) => (op === "value" && typeof args === "string" ? args : undefined));
  if (ASKS_OTHERS.has(name)) return [{ ...NOTHING, others: true }, ...inner];
  if (name === "HasEntitlement") return [...membersOf(texts[1], texts[2]), ...inner];
  if (name === "GetEntitlementMembers") {
    return [{ ...NOTHING, others: true }, ...membersOf(texts[0], texts[1]), ...inner];
  }
  const app = name === "HasApp" || name === "GetAppUserStatus" ? texts[1] : undefined;
  return app === undefined ? inner : [{ ...NOTHING, apps: [app] }, ...inner];
}

function membersOf(appId: string | undefined, id: string | undefined): readonly Needs[] {
  return appId === undefined || id === undefined ? [] : [{ ...NOTHING, members: [{ appId, id }] }];
}
