import { type FlagsOf, text } from "../../cli/settings/flags.js";

/** The examples by the names of their folders. */
export const EXAMPLES = [
  "access-profile",
  "apps",
  "brownfield",
  "company",
  "core-only",
  "departments",
  "github-actions",
  "gitlab-ci",
  "groups",
  "guards",
  "joiner-mover-leaver",
  "many-apps",
  "plan-from-code",
  "policies",
  "quarterly-review",
  "quickstart",
  "review",
  "two-tenants",
] as const;

/** The name of an example. */
export type ExampleName = (typeof EXAMPLES)[number];

/** `remit init`. */
export const init = {
  docs: {
    brief: "Start a project: remit.yaml, a first manifest, their schemas",
    fullDescription:
      "Never overwrites a file.\n\n" +
      "Examples:\n" +
      "  remit init                begin here\n" +
      "  remit init reviews        begin in a folder of its own\n" +
      "  remit init --example groups teams   copy an example into a folder\n" +
      "  remit init --ci github    also write pipelines, or add them later\n" +
      "  remit init --ci kubernetes   a plan of each tenant every night\n" +
      "  remit init --server https://example.conductor.one   for an existing tenant",
  },
  parameters: {
    flags: {
      server: text("url", "An existing tenant; writes no first manifest"),
      example: {
        kind: "enum",
        values: EXAMPLES,
        optional: true,
        brief: "Copy an example, with its own sandbox",
        placeholder: "name",
      },
      ci: {
        kind: "enum",
        values: ["github", "gitlab", "kubernetes"],
        optional: true,
        brief: "Also write pipelines, or objects of a cluster",
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The folder; this one by default", parse: String, placeholder: "folder", optional: true },
      ],
    },
  },
} as const;

/** Its flags. */
export type InitFlags = FlagsOf<typeof init.parameters.flags>;
