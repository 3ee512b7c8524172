import type { ASTNode } from "@marcbachmann/cel-js";
import { memberIn, nodesIn, parseExpression, textIn } from "../manifest/cel.js";

/** A value that an expression asks an attribute for, as `==` or `in` write it. */
export interface AskedValue {
  /** Such as `department`, or `profile.costCenter`. */
  readonly attribute: string;
  readonly value: string;
  /** Whether capital letters count. */
  readonly isExact: boolean;
}

/** Functions around an attribute that leave its value readable; those that change its letters are the first two. */
const AROUND = ["lowerAscii", "upperAscii", "trim", "ifEmpty"];

/** The values that an expression asks attributes for, each once; what it asks them not to be is left out. */
export function valuesAskedIn(text: string): readonly AskedValue[] {
  const found = new Map<string, AskedValue>();
  let ast: ASTNode;
  try {
    ({ ast } = parseExpression(text.trimEnd()));
  } catch {
    return [];
  }
  const open = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.op === "!_" || node.op === "!=") continue;
    for (const one of askedAt(node)) found.set(JSON.stringify(one), one);
    open.push(...nodesIn(node.args).toReversed());
  }
  return [...found.values()];
}

function askedAt(node: ASTNode): readonly AskedValue[] {
  if (node.op !== "==" && node.op !== "in") return [];
  const [one, other] = node.args;
  const pairs =
    node.op === "in"
      ? [[one, other] as const]
      : ([
          [one, other],
          [other, one],
        ] as const);
  return pairs.flatMap(([field, values]) => {
    const asked = attributeIn(field);
    if (asked === null) return [];
    const written = values.op === "list" ? values.args : node.op === "==" ? [values] : [];
    return written.flatMap((value) => {
      const text = textIn(value);
      return text === null || text === "" ? [] : [{ ...asked, value: text }];
    });
  });
}

function attributeIn(node: ASTNode): Pick<AskedValue, "attribute" | "isExact"> | null {
  if (node.op === "rcall") {
    const [name, receiver] = node.args;
    const inner = AROUND.includes(name) ? attributeIn(receiver) : null;
    return inner && { ...inner, isExact: inner.isExact && AROUND.indexOf(name) > 1 };
  }
  const name = memberIn(node);
  if (name === null || (node.op !== "." && node.op !== "[]")) return null;
  const [of] = node.args;
  if (of.op === "id" && of.args === "subject") return { attribute: name, isExact: true };
  const isOfProfile =
    of.op === "." && of.args[1] === "profile" && of.args[0].op === "id" && of.args[0].args === "subject";
  return isOfProfile ? { attribute: `profile.${name}`, isExact: true } : null;
}
