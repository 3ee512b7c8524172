import type { ASTNode } from "@marcbachmann/cel-js";
import { memberIn, nodesOf } from "../../manifest/cel.js";
import { fieldNamed } from "../fieldNames.js";
import { FILLED_SUBJECT } from "./presence.js";

/** Fields of a person whose values many share, beside the members of the profile. */
const SHARED = [
  "department",
  "jobTitle",
  "employmentType",
  "employmentStatus",
  "status",
  "directoryStatus",
  "type",
] as const;

/** One of them. */
export type SharedField = (typeof SHARED)[number];

/** What decides an answer of a person: some fields, and some members of their profile. */
export interface FieldsRead {
  readonly fields: readonly SharedField[];
  readonly profile: readonly string[];
}

/**
 * What a rule reads of its subject, and nothing else of them decides its answer; null where it may read more, or what few
 * people share.
 */
export function fieldsReadBy(ast: ASTNode): FieldsRead | null {
  const nodes = nodesOf(ast);
  const read = new Map<ASTNode, SharedField | { readonly profile: string }>();
  for (const node of nodes) {
    if (node.op !== "." && node.op !== "[]") continue;
    const [of, name] = [node.args[0], memberIn(node)];
    const isOfProfile = of.op === "." && of.args[1] === "profile" && isSubject(of.args[0]);
    if (isOfProfile && name !== null) read.set(of.args[0], { profile: name });
    const shared =
      node.op === "." && isSubject(of) ? SHARED.find((one) => one === fieldNamed(name ?? "")) : undefined;
    if (shared !== undefined) read.set(of, shared);
  }
  if (!nodes.filter(isSubject).every((node) => read.has(node))) return null;
  const all = [...read.values()];
  return {
    fields: all.filter((one) => typeof one === "string"),
    profile: all.flatMap((one) => (typeof one === "string" ? [] : [one.profile])),
  };
}

function isSubject(node: ASTNode): boolean {
  return node.op === "id" && (node.args === "subject" || node.args === FILLED_SUBJECT);
}
