/** `remit docs`. */
export const docs = {
  docs: {
    brief: "Print a page of the documentation",
    fullDescription:
      "Without a page, lists them. A page is that of this version of remit; in a file or a pipe it is Markdown.\n\n" +
      "Examples:\n" +
      "  remit docs              list the pages\n" +
      "  remit docs import       print how a tenant becomes manifests\n" +
      "  remit docs policy       print the fields of a kind",
  },
  parameters: {
    flags: {},
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A page",
          parse: String,
          placeholder: "page",
          optional: true,
          proposeCompletions: async () => [...(await import("./pages.js")).pages().keys()],
        },
      ],
    },
  },
} as const;
