import { type FlagsOf, isGiven, oneOf, parseDay, read, text } from "../../cli/settings/flags.js";

/** `remit evidence`. */
export const evidence = {
  docs: { brief: "Check the evidence that applies leave" },
  routes: {
    verify: {
      docs: {
        brief: "Check who approved what, and that it is what was applied",
        fullDescription:
          "Checks the files that `remit apply --evidence` wrote, with the public key alone: signatures, and the chain of run records without a gap. " +
          "For each run, record, plan, review and read back must agree, and their times must be in order (clocks may differ by 60 s). " +
          "Prints a table of the runs and what is not known of each, and ends with 0 where all of it holds and with 4 where something does not.\n\n" +
          "What the forge or the record does not say is not known. It fails only where --require names it:\n" +
          "  approvals=N        at least N people approved\n" +
          "  not-by-applier     approvals of the one who applied do not count\n" +
          "  approvals-of-head  only approvals of the head that was merged count\n" +
          "  approvals-dated    only approvals with a time count\n" +
          "  read-back          each object that was written was read back\n\n" +
          "Examples:\n" +
          "  remit evidence verify evidence --key evidence.pub\n" +
          "  remit evidence verify evidence --key evidence.pub --since 2026-07-01 --head 42:9f2c…\n" +
          "  remit evidence verify evidence --key evidence.pub --require approvals=2,not-by-applier",
      },
      parameters: {
        flags: {
          key: text("file", "The public key, or several, in PEM"),
          since: read(parseDay, "date", "Judge only runs from this day or time on"),
          head: read(parseHead, "number:hash", "Number and hash of the newest record, from `remit history`"),
          require: {
            kind: "parsed",
            parse: String,
            variadic: ",",
            optional: true,
            brief: "What must be proved as well, several with commas",
            placeholder: "what",
          },
          unsigned: isGiven("Accept files without a signature"),
          format: oneOf(["text", "json"], "How it is printed"),
        },
        positional: {
          kind: "tuple",
          parameters: [{ brief: "The folder with the files", parse: String, placeholder: "folder" }],
        },
      },
    },
  },
} as const;

/** The flags of the check. */
export type VerifyFlags = FlagsOf<typeof evidence.routes.verify.parameters.flags>;

function parseHead(text: string): { readonly number: number; readonly hash: string } {
  const [, number, hash] = /^(\d+):(?:sha256:)?([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new Error("`remit history --format json` prints number and hash of the newest record: 42:9f2c…");
}
