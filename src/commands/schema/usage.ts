import { type FlagsOf, text } from "../../cli/settings/flags.js";

/** `remit schema`. */
export const schema = {
  docs: {
    brief: "Print the JSON Schema of a kind, of remit.yaml or of what remit writes",
    fullDescription:
      "Without a name, lists the schemas. With --out, writes a schema to a file or, without a name, all of " +
      "them to a folder, where editors find them offline.\n\n" +
      "Examples:\n" +
      "  remit schema TemplateScope      print what a manifest of a kind may hold\n" +
      "  remit schema --out schemas      write all of them",
  },
  parameters: {
    flags: {
      out: text("path", "Write to this path instead"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A kind, or config, manifest, plan, …",
          parse: String,
          placeholder: "name",
          optional: true,
          proposeCompletions: async () => [...(await import("./schemas.js")).SCHEMAS.keys()],
        },
      ],
    },
  },
} as const;

/** Its flags. */
export type SchemaFlags = FlagsOf<typeof schema.parameters.flags>;
