/** `remit version`. */
export const version = {
  docs: { brief: "Print the version" },
  parameters: {
    flags: { verbose: { kind: "boolean", brief: "Also print the version of Node", default: false } },
    aliases: { v: "verbose" },
  },
} as const;
