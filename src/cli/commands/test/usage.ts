import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { contextFlag, outputFlags, pathArguments } from "../flags.js";
import type { TestFlags } from "./test.js";

/** `remit test`. */
export const test = buildCommand<TestFlags, string[], Context>({
  docs: {
    brief: "Test rules with made-up people, offline",
    fullDescription:
      "Runs the tests that `tests:` in remit.yaml names, by default those in the folder tests. Each has made-up people, and says " +
      "what the project's rules do for them. Also runs the tests in guards of your own. An answer that is unknown is a failure. Exits 1 if one fails.\n\n" +
      "Examples:\n" +
      "  remit test                      all tests\n" +
      "  remit test tests/joiners.yaml   those of a file\n" +
      "  remit test --format github      failures on the lines of a pull request",
  },
  parameters: {
    flags: {
      ...outputFlags,
      ...contextFlag,
      quiet: { kind: "boolean", default: false, withNegated: false, brief: "Print only failures" },
      verbose: { kind: "boolean", default: false, withNegated: false, brief: "Also say what was left out" },
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: pathArguments,
  },
  loader: () => import("./test.js"),
});
