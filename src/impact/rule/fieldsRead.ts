import type { ASTNode } from "@marcbachmann/cel-js";
import { memberIn, nodesOf } from "../../manifest/cel.js";
import { FILLED_SUBJECT } from "./presence.js";

/** Fields whose values many people share, by the names that rules have for them. */
const SHARED: Readonly<Record<string, SharedField>> = {
  department: "department",
  jobTitle: "jobTitle",
  job_title: "jobTitle",
  employmentType: "employmentType",
  employment_type: "employmentType",
  employmentStatus: "employmentStatus",
  employment_status: "employmentStatus",
  status: "status",
  directoryStatus: "directoryStatus",
  directory_status: "directoryStatus",
  type: "type",
};

/** A field of a person that many share, beside the members of the profile. */
export type SharedField =
  | "department"
  | "jobTitle"
  | "employmentType"
  | "employmentStatus"
  | "status"
  | "directoryStatus"
  | "type";

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
    else if (node.op === "." && isSubject(of) && name !== null && Object.hasOwn(SHARED, name))
      read.set(of, SHARED[name] as SharedField);
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
