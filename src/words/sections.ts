import { ACCEPT, IGNORE } from "./accept.js";
import { APPLY } from "./apply.js";
import { CLI } from "./cli.js";
import { CONTEXT } from "./context.js";
import { EVIDENCE } from "./evidence.js";
import { FILE } from "./file.js";
import { FORGE } from "./forge.js";
import { GUARD } from "./guard.js";
import { MANIFEST } from "./manifest.js";
import { PLAN } from "./plan.js";
import { POLICY } from "./policy.js";
import { REFERENCE } from "./reference.js";
import { REMARK } from "./remark.js";
import { SAVED } from "./saved.js";
import type { Saying } from "./saying.js";
import { SCHEMA } from "./schema.js";
import { SINCE } from "./since.js";
import { STATE } from "./state.js";
import { STATEMENT } from "./statement.js";
import { TELEMETRY } from "./telemetry.js";
import { SERVICE } from "./tenant.js";
import { EXPECTATION, OWN_GUARD } from "./test.js";
import { VALUE } from "./value.js";
import { YAML } from "./yaml.js";

/** Every code that remit can print, in the order of docs/diagnostics.md. */
export const SECTIONS = [
  FILE,
  YAML,
  MANIFEST,
  VALUE,
  EXPECTATION,
  OWN_GUARD,
  SCHEMA,
  POLICY,
  REFERENCE,
  CLI,
  CONTEXT,
  SERVICE,
  SINCE,
  FORGE,
  PLAN,
  SAVED,
  GUARD,
  ACCEPT,
  IGNORE,
  APPLY,
  STATE,
  EVIDENCE,
  TELEMETRY,
  STATEMENT,
  REMARK,
] as const;

type Rows = (typeof SECTIONS)[number]["rows"];
type Whole<U> = (U extends unknown ? (rows: U) => void : never) extends (rows: infer I) => void ? I : never;

/** Each code with its row, as it is written. */
export type Code = Whole<Rows>;

const ROWS: ReadonlyMap<string, Saying> = new Map(
  SECTIONS.flatMap(({ rows }) => Object.entries<Saying>(rows)),
);

/** What to do about a code, whatever the place. */
export function helpOf({ help, hint }: Saying): string {
  return help ?? (typeof hint === "string" ? hint : "");
}

/** The row of a code. A guard of the project's own has none, and a reader gets its code as the title. */
export function rowOf(code: string): Saying {
  const title = code.replace("/", ": ").replaceAll("-", " ");
  return ROWS.get(code) ?? { severity: "error", title, help: `A diagnostic of remit: ${title}.` };
}
