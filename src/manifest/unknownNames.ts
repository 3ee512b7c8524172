import type { ASTNode } from "@marcbachmann/cel-js";
import { didYouMean, nearlySame } from "../schema/didYouMean.js";
import { say } from "../words/say.js";
import type { Bound, FreeName } from "./cel.js";
import { FUNCTIONS, isKnownName, isOfExtension, MEMBERS, METHODS, NAMES } from "./declared.js";
import { ENVIRONMENTS, type EnvironmentName, MESSAGES } from "./environments.js";
import type { ExpressionFault } from "./expressions.js";

/** The names of an expression that its field does not know: the service refuses them. Each once. */
export function undeclaredNames(
  nodes: readonly Bound[],
  text: string,
  environment: EnvironmentName,
): readonly ExpressionFault[] {
  const about = Object.keys(ENVIRONMENTS[environment].knows);
  const isRule = about.length === 1 && about[0] === "subject";
  const misspelt = new Map<string, string>();
  return each(nodes, (one) => {
    const { node, bound } = one;
    // A macro that is misspelt binds nothing.
    const [variable] = node.op === "rcall" ? node.args[2] : [];
    const macro = variable?.op === "id" ? functionFault(one, text) : null;
    if (macro !== null && variable?.op === "id") misspelt.set(variable.args, macro.hint);
    if (node.op !== "id" || bound.has(node.args) || about.includes(node.args)) return null;
    if (isKnownName(node.args)) return null;
    const at = { name: node.args, ...(node.range ?? { start: 0, end: 0 }) };
    return say(
      isRule ? "expression/unknown-name" : "expression/unknown-name#here",
      { name: at.name },
      { ...at, hint: misspelt.get(at.name) ?? nameFor(at, text, about) },
    );
  });
}

/** The functions that no rule has; those that the service may have, and unknown values of enums, are warnings. */
export function unknownFunctions(nodes: readonly Bound[], text: string): readonly ExpressionFault[] {
  return each(nodes, (one) => functionFault(one, text) ?? memberFault(one, text));
}

type FaultOfName = ExpressionFault & FreeName;

function each(
  nodes: readonly Bound[],
  faultOf: (one: Bound) => FaultOfName | null,
): readonly ExpressionFault[] {
  const found = new Map<string, ExpressionFault>();
  for (const one of nodes) {
    const fault = faultOf(one);
    if (fault === null || found.has(fault.name)) continue;
    const { name, ...rest } = fault;
    found.set(name, rest);
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

/** What an unknown name may have meant. */
function nameFor({ name, end }: FreeName, text: string, about: readonly string[]): string {
  if (FUNCTIONS.has(name)) return `Did you mean ${name}()?`;
  const near = didYouMean(name, [...about, ...NAMES, "true", "false", "null"]);
  if (near !== undefined) return near;
  const attributes = [...Object.keys(MESSAGES.User), ...Object.keys(MESSAGES.AppUser)];
  const [, member] = /^\s*\.\s*(\w+)/.exec(text.slice(end)) ?? [];
  const isOfPeople = about.includes("subject");
  if (isOfPeople && member !== undefined && attributes.includes(member)) return "Did you mean subject?";
  const attribute = isOfPeople ? nearlySame(name, attributes) : undefined;
  if (attribute !== undefined) return `Did you mean subject.${attribute}?`;
  const isRule = about.length === 1 && isOfPeople;
  const others = isRule
    ? "What a rule is about is subject."
    : `An expression here is about ${about.join(", ")}.`;
  return name === "subject" ? others : `Write a text in quotes: "${name}". ${others}`;
}

/** Whether a node calls a function that no rule is known to have. */
export function isUnknownFunction(one: Bound, text: string): boolean {
  return functionFault(one, text) !== null;
}

function functionFault({ node, bound }: Bound, text: string): FaultOfName | null {
  if (node.op !== "call" && node.op !== "rcall") return null;
  const [own] = node.args;
  const path = node.op === "rcall" ? pathOf(node.args[1]) : [];
  const [root] = path ?? [];
  // The name itself is reported.
  if (root !== undefined && !VARIABLES.has(root) && !bound.has(root) && !isKnownName(root)) return null;
  const isMethod = root === undefined ? node.op === "rcall" : bound.has(root) || !isLibrary(root);
  if (isMethod ? METHODS.has(own) : FUNCTIONS.has([...(path ?? []), own].join("."))) return null;
  const name = isMethod ? own : [...(path ?? []), own].join(".");
  const end = node.op === "rcall" ? endOf(node.args[1]) : (node.range?.start ?? 0);
  const start = text.indexOf(own, end);
  const range = start < 0 ? { start: 0, end: text.length } : { start, end: start + own.length };
  const at = { ...range, name: `${name}()` };
  if (isOfExtension(name)) return say("expression/unknown-function#extension", { name }, at);
  const near = functionFor(name, isMethod) ?? "The service's documentation lists the functions of rules.";
  return say("expression/unknown-function", { name, near }, at);
}

/** The nearest function: by its whole name, or by the last part of it. */
function functionFor(name: string, isMethod: boolean): string | undefined {
  const alone = [...FUNCTIONS].find((one) => one.endsWith(`.${name}`));
  if (!isMethod && alone !== undefined) return `Did you mean ${alone}?`;
  if (isMethod) return didYouMean(name, [...METHODS]) ?? didYouMean(name, [...FUNCTIONS]);
  const method = nearlySame(name, [...METHODS]);
  return didYouMean(name, [...FUNCTIONS]) ?? (method && `Did you mean VALUE.${method}()?`);
}

function memberFault({ node, bound }: Bound, text: string): FaultOfName | null {
  if (node.op !== ".") return null;
  const [of, name] = node.args;
  if (of.op !== "id" || bound.has(of.args) || typeof name !== "string") return null;
  const known = MEMBERS.get(of.args);
  if (known === undefined || known.includes(name)) return null;
  const start = text.indexOf(name, endOf(of));
  return {
    ...{ name: `${of.args}.${name}`, code: "expression/unknown-value", severity: "warning" },
    message: `${of.args} has no documented value ${name}`,
    hint: didYouMean(name, known) ?? `Known are ${known.join(", ")}.`,
    ...{ start, end: start + name.length },
  };
}

/** What expressions are about, in any field. */
const VARIABLES: ReadonlySet<string> = new Set(
  Object.values(ENVIRONMENTS).flatMap(({ knows }) => Object.keys(knows)),
);

/** Names before which a function belongs to a library. */
function isLibrary(name: string): boolean {
  return isKnownName(name) && !MEMBERS.has(name);
}

/** The names of a row such as `c1.user.v1`; null for any other node. */
function pathOf(node: ASTNode): readonly string[] | null {
  if (node.op === "id") return [node.args];
  if (node.op !== ".") return null;
  const [of, name] = node.args;
  const path = pathOf(of);
  return path === null ? null : [...path, String(name)];
}

function endOf(node: ASTNode): number {
  return node.range?.end ?? 0;
}
