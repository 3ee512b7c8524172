import { FORM_NAMES } from "../../report/forms/table.js";
import { parseReport } from "../print/parseReport.js";
import type { Context } from "../run/context.js";
import { tenantFlags, whole } from "../settings/flags.js";

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

/** Flags that say which resources a plan is about, and what it may do. */
export const choiceFlags = {
  target: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "Only this resource: Kind/name, or a removed one",
    placeholder: "address",
    async proposeCompletions(this: Context) {
      return (await import("../completion/written.js")).writtenAddresses(this);
    },
  },
  selector: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "Only resources with these labels: team=security",
    placeholder: "labels",
  },
  since: {
    kind: "parsed",
    parse: String,
    optional: true,
    inferEmpty: true,
    brief: "Only this change: since a ref, or the last apply",
    placeholder: "ref",
  },
  prune: {
    kind: "boolean",
    default: false,
    withNegated: false,
    brief: "Delete what no longer has a manifest",
  },
  cascade: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "With --prune: a type to delete with all under it",
    placeholder: "address",
  },
  acknowledge: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "Acknowledge a guard: GUARD or GUARD=Kind/name",
    placeholder: "guard",
    async proposeCompletions(this: Context, partial: string) {
      return (await import("../completion/guards.js")).acknowledgeable(this, partial);
    },
  },
  impact: {
    kind: "enum",
    values: ["auto", "off"],
    default: "auto",
    brief: "Count who gains and loses access",
  },
  people: {
    kind: "boolean",
    default: false,
    withNegated: false,
    brief: "Name people in files, pipes and logs as well",
  },
  strict: { kind: "boolean", default: false, withNegated: false, brief: "Treat warnings as errors" },
  metrics: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "Write figures of the run for Prometheus to a file",
    placeholder: "file",
  },
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
  maxBytes: {
    kind: "parsed",
    parse: whole(1024, Number.MAX_SAFE_INTEGER),
    optional: true,
    brief: "The most bytes of a markdown result",
    placeholder: "n",
  },
  linkBase: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "The files' web address, for links to lines",
    placeholder: "url",
  },
  quiet: { kind: "boolean", default: false, withNegated: false, brief: "Print only the result" },
  verbose: { kind: "boolean", default: false, withNegated: false, brief: "Show every call" },
  ...colorFlag,
} as const;

/** Short names of the flags of a command that plans. */
export const shortNames = { l: "selector", q: "quiet", v: "verbose" } as const;

/** Paths of manifests, as every command takes them. */
export const pathArguments = {
  kind: "array",
  parameter: { brief: "A file, a folder, or - for standard input", parse: String, placeholder: "path" },
} as const;
