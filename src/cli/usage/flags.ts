/** Flags that say which tenant, state and project a command works with. */
export const tenantFlags = {
  server: {
    kind: "parsed",
    parse: String,
    brief: "The tenant's address, or sandbox",
    optional: true,
    placeholder: "url",
  },
  interface: {
    kind: "enum",
    values: ["auto", "full", "core"],
    brief: "What the server offers",
    optional: true,
  },
  state: { kind: "parsed", parse: String, brief: "The state file", optional: true, placeholder: "file" },
  concurrency: {
    kind: "parsed",
    parse: parseWidth,
    brief: "The most calls under way at once",
    optional: true,
    placeholder: "n",
  },
} as const;

/** Flags that say which resources a plan is about. */
export const choiceFlags = {
  target: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "Only this resource, Kind/name, and what it needs",
    placeholder: "address",
  },
  selector: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "Only resources with these labels: team=security",
    placeholder: "labels",
  },
  prune: { kind: "boolean", default: false, brief: "Delete what no longer has a manifest" },
  acknowledge: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "Answer for a guard: GUARD or GUARD=Kind/name",
    placeholder: "guard",
  },
  strict: { kind: "boolean", default: false, brief: "Take warnings for errors" },
} as const;

/** Flags that say what is printed, where and how. */
export const outputFlags = {
  format: {
    kind: "enum",
    values: ["text", "json", "markdown"],
    default: "text",
    brief: "How the result is printed",
  },
  report: {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: true,
    brief: "Write the result to a file, too: markdown=plan.md",
    placeholder: "format=file",
  },
  maxBytes: {
    kind: "parsed",
    parse: parseBytes,
    optional: true,
    brief: "The most bytes of a markdown result",
    placeholder: "n",
  },
  quiet: { kind: "boolean", default: false, brief: "Print the result alone" },
  verbose: { kind: "boolean", default: false, brief: "Tell of every call" },
  color: { kind: "boolean", optional: true, brief: "Colour, whoever reads" },
} as const;

/** Short names of flags, the same wherever they are used. */
export const shortNames = { l: "selector", q: "quiet", v: "verbose" } as const;

/** Paths of manifests, as every command takes them. */
export const pathArguments = {
  kind: "array",
  parameter: { brief: "A file, a folder, or - for standard input", parse: String, placeholder: "path" },
} as const;

function parseWidth(text: string): number {
  const width = Number(text);
  if (!Number.isInteger(width) || width < 1 || width > 500)
    throw new Error("a whole number from 1 to 500 is needed");
  return width;
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (!Number.isInteger(bytes) || bytes < 1024) throw new Error("a whole number from 1024 is needed");
  return bytes;
}
