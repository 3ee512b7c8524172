import { FORM_NAMES, type Form, isForm } from "../../report/forms/table.js";
import { isGiven, oneOf, read, tenantFlags, text, texts, whole } from "../settings/flags.js";
import type { Context } from "./context.js";

/** The flag of every command that looks at one context. */
export const contextFlag = {
  context: {
    ...tenantFlags.context,
    async proposeCompletions(this: Context) {
      return (await import("../completion/contextNames.js")).contextNames(this);
    },
  },
} as const;

/** Flags of every command that works with a tenant: which one it is, and its state. */
export const runFlags = { ...tenantFlags, ...contextFlag } as const;

/** What completes the address of a manifest, or of an object that is removed. */
export const WRITTEN = {
  async proposeCompletions(this: Context) {
    return (await import("../completion/written.js")).writtenAddresses(this);
  },
} as const;

/** Flags that say which resources a plan is about, and what it may do. */
export const choiceFlags = {
  target: {
    ...texts("address", "Only this resource: Kind/name, or a removed one"),
    ...WRITTEN,
  },
  selector: text("labels", "Only resources with these labels: team=security"),
  since: {
    kind: "parsed",
    parse: String,
    optional: true,
    inferEmpty: true,
    brief: "Only this change: since a ref, or the last apply",
    placeholder: "ref",
  },
  prune: isGiven("Delete what no longer has a manifest"),
  cascade: texts("address", "With --prune: a type to delete with all under it"),
  acknowledge: {
    ...texts("guard", "Acknowledge a guard: GUARD or GUARD=Kind/name"),
    async proposeCompletions(this: Context, partial: string) {
      return (await import("../completion/guards.js")).acknowledgeable(this, partial);
    },
  },
  firstRun: isGiven("The store has no state yet, and that is right"),
  impact: oneOf(["auto", "off"], "Count who gains and loses access"),
  people: isGiven("Name people in files, pipes and logs as well"),
  strict: isGiven("Treat warnings as errors"),
  metrics: text("file", "Write figures of the run for Prometheus to a file"),
} as const;

/** The flag of every command that prints in colour. */
export const colorFlag = {
  color: { kind: "boolean", optional: true, brief: "Use colour, or none, on any output" },
} as const;

/** Flags that say what is printed, where and how. */
export const outputFlags = {
  format: {
    kind: "enum",
    values: FORM_NAMES,
    default: "text",
    brief: "Print as",
  },
  report: {
    kind: "parsed",
    parse: parseReport,
    variadic: true,
    optional: true,
    brief: "Also write the result to a file: markdown=plan.md",
    placeholder: "format=file",
    proposeCompletions: () => FORM_NAMES.map((form) => `${form}=`),
  },
  maxBytes: read(whole(1024, Number.MAX_SAFE_INTEGER), "n", "The most bytes of a markdown result"),
  linkBase: text("url", "The files' web address, for links to lines"),
  quiet: isGiven("Print only the result"),
  verbose: isGiven("Show every call"),
  ...colorFlag,
} as const;

/** Short names of the flags of a command that plans. */
export const shortNames = { l: "selector", q: "quiet", v: "verbose" } as const;

/** Paths of manifests, as every command takes them. */
export const pathArguments = {
  kind: "array",
  parameter: { brief: "A file, a folder, or - for standard input", parse: String, placeholder: "path" },
} as const;

/** A format and the file it is written to. */
interface FileReport {
  readonly format: Form;
  readonly file: string;
}

/** Reads `FORMAT=FILE`; throws if the text does not have that form. */
function parseReport(text: string): FileReport {
  const equals = text.indexOf("=");
  const [format, file] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals > 0 && file !== "" && isForm(format)) return { format, file };
  throw new Error(
    `write a format and a file, as in markdown=plan.md; the formats are ${FORM_NAMES.join(", ")}`,
  );
}
