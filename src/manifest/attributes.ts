import { didYouMean } from "../schema/didYouMean.js";
import { say } from "../words/say.js";
import { memberIn, nodesIn, nodesOf, treeOf } from "./cel.js";
import type { ExpressionFault } from "./expressions.js";

/** Whom an expression is about. */
export type RuleSubject = "user" | "account";

/** The documented attributes of the subject of an expression. */
export const ATTRIBUTES: Readonly<Record<RuleSubject, readonly string[]>> = {
  user: [
    ...["id", "displayName", "display_name", "email", "emails", "username", "usernames", "department"],
    ...[
      "jobTitle",
      "job_title",
      "employmentType",
      "employment_type",
      "employmentStatus",
      "employment_status",
    ],
    ...["manager", "manager_id", "status", "directoryStatus", "directory_status", "type"],
    ...["profile", "attributes"],
  ],
  account: [
    ...["id", "displayName", "display_name", "username", "usernames", "email", "emails"],
    ...["employeeIds", "employee_ids", "app_user_type", "appUserType", "status", "profile", "attributes"],
  ],
};

/** Attributes of the subject that the documentation does not have, each once; none where the text does not parse. */
export function unknownAttributes(text: string, subject: RuleSubject): readonly ExpressionFault[] {
  const known = ATTRIBUTES[subject];
  const found = new Map<string, ExpressionFault>();
  for (const { name, start, end } of attributesIn(text.trimEnd())) {
    if (known.includes(name) || found.has(name)) continue;
    const nearest = didYouMean(name, known);
    found.set(
      name,
      say(
        "expression/unknown-attribute",
        { who: subject === "user" ? "a user" : "an account", name },
        { start, end, hint: nearest },
      ),
    );
  }
  return [...found.values()];
}

/** The members of the subject's profile that an expression names, each once; none where the text does not parse. */
export function profileNamesIn(text: string): readonly string[] {
  try {
    const names = nodesOf(treeOf(text)).flatMap((node): string | readonly string[] => {
      if ((node.op !== "." && node.op !== "[]") || !isProfile(node.args[0])) return [];
      return memberIn(node) ?? [];
    });
    return [...new Set(names)];
  } catch {
    return [];
  }
}

function isProfile(node: ReturnType<typeof nodesOf>[number]): boolean {
  return (
    node.op === "." &&
    node.args[1] === "profile" &&
    node.args[0].op === "id" &&
    node.args[0].args === "subject"
  );
}

interface NamedAttribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Every `subject.NAME` of an expression, in the order they stand. */
function attributesIn(text: string): readonly NamedAttribute[] {
  const found: NamedAttribute[] = [];
  try {
    const open = [treeOf(text)];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.op === "." && node.args[0].op === "id" && node.args[0].args === "subject") {
        const name = String(node.args[1]);
        const end = node.range?.end ?? text.length;
        found.push({ name, start: end - name.length, end });
      }
      open.push(...nodesIn(node.args));
    }
  } catch {
    return [];
  }
  return found.sort((one, other) => one.start - other.start);
}
