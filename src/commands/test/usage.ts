import { contextFlag, outputFlags, pathArguments } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven } from "../../cli/settings/flags.js";

/** `remit test`. */
export const test = {
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
      quiet: isGiven("Print only failures"),
      verbose: isGiven("Also say what was left out"),
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: pathArguments,
  },
} as const;

/** Its flags. */
export type TestFlags = FlagsOf<typeof test.parameters.flags>;
