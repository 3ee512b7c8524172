import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf } from "../../manifest/cel.js";
import { MESSAGES } from "../../manifest/environments.js";
import { isFilledIn, type Person } from "../person.js";

/** The name under which a rule asks whether the fields of its subject have a value. */
export const FILLED_SUBJECT = "remit_subject";

/** The fields of a person of which it is known whether they have a value. */
const { attributes: _, ...SHOWN } = MESSAGES.User;

/** The fields of a person that have a value, for `has()` alone. */
export function filledFieldsOf(person: Person): Readonly<Record<string, true>> {
  const filled = Object.keys(SHOWN).filter((name) => isFilledIn(person, name));
  return Object.fromEntries(filled.map((name) => [name, true]));
}

/** Whether an expression asks if a field of a person is there, which every field of a person is as the documents have it. */
export function asksForFields(node: ASTNode): boolean {
  return nodesOf(node).some((one) => fieldAskedFor(one) !== null);
}

/** Lets an expression that was just parsed ask whether the field has a value, as CEL itself has it; false where it cannot. */
export function askForValues(node: ASTNode): boolean {
  const people = nodesOf(node).flatMap((one) => fieldAskedFor(one) ?? []);
  if (people.some(({ args }) => args !== "subject")) return false;
  // The tree belongs to this expression alone, and the library has not looked at it yet.
  for (const person of people) Object.assign(person, { args: FILLED_SUBJECT });
  return true;
}

/** The person of whom `has()` asks; null where it asks for a key of a map, which is there or not. */
function fieldAskedFor(node: ASTNode): Extract<ASTNode, { readonly op: "id" }> | null {
  if (node.op !== "call" || node.args[0] !== "has") return null;
  const [asked] = node.args[1];
  if (asked?.op !== "." || !Object.hasOwn(SHOWN, asked.args[1])) return null;
  const [of] = asked.args;
  return of.op === "id" ? of : null;
}
