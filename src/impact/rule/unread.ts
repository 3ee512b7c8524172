import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf, textIn } from "../../manifest/cel.js";
import { FUNCTIONS, METHODS } from "../../manifest/declared.js";
import { patternOf } from "./pattern.js";

/** Functions of the service that remit does not evaluate. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set([
  "ip",
  "cidr",
  "ListAppUsersForUser",
  "GetAppUserManagers",
]);

const EVALUATED: ReadonlySet<string> = new Set(
  [...[...FUNCTIONS].map((name) => name.slice(name.lastIndexOf(".") + 1)), ...METHODS].filter(
    (name) => !OF_THE_SERVICE.has(name),
  ),
);

/** Tests of a text that every text passes where they ask for an empty one. */
const ASKS_FOR_PART: ReadonlySet<string> = new Set(["contains", "startsWith", "endsWith"]);

/** Short texts of many kinds: to try a pattern with them takes no time, whatever it is. */
const TEXTS = ["", "a", "Z", "0", "é", " ", "-", "_", "@", ".", "aZ", "0 "];

/**
 * The functions and attributes of a test whose answer remit does not know without people: it does not evaluate them, or
 * every text may pass. Null for none. Where a test is the same for all people, remit evaluates none of its functions.
 */
export function unreadIn(test: ASTNode, isOfPerson: boolean): string | null {
  const names = nodesOf(test).flatMap((node) => {
    const call = node.op === "call" || node.op === "rcall" ? node.args[0] : null;
    if (!isOfPerson) return call ?? [];
    if (call !== null) return isUnread(node, call) ? call : [];
    const isOfSubject = node.op === "." && node.args[0].op === "id" && node.args[0].args === "subject";
    // The service shows no attributes.
    return isOfSubject && node.args[1] === "attributes" ? "subject.attributes" : [];
  });
  return names.length === 0 ? null : [...new Set(names)].sort().join(" and ");
}

function isUnread(node: ASTNode, name: string): boolean {
  if (!EVALUATED.has(name)) return true;
  const [text] = node.op === "rcall" ? node.args[2] : [];
  const written = text === undefined ? null : textIn(text);
  if (ASKS_FOR_PART.has(name)) return written === "";
  if (name !== "matches" || text === undefined) return false;
  if (written === null) return !nodesOf(text).some(({ op }) => op === "id");
  const pattern = patternOf(written);
  return pattern === null || TEXTS.every((one) => pattern.test(one));
}
