import { type Application, proposeCompletions } from "@stricli/core";
import { tame } from "../../report/text/visible.js";
import type { Context } from "../run/context.js";

/**
 * What may be typed at the cursor: one line each, with its meaning after a tab, for the scripts of
 * `remit completion`. No lines mean that a file name is expected.
 */
export async function complete(application: Application<Context>, context: Context): Promise<string> {
  const { words } = context;
  const last = words.at(-1) ?? "";
  const [, flag = "", value = ""] = /^(--[a-z-]+)=(.*)$/s.exec(last) ?? [];
  const inputs = flag === "" ? [...words.slice(0, -1), last] : [...words.slice(0, -1), flag, value];
  const proposals = await proposeCompletions(application, inputs, context);
  const lines = proposals
    .filter(
      ({ kind, completion }) => kind !== "argument:flag" || (last.startsWith("-") && completion !== "--"),
    )
    .map(({ kind, completion, brief }) => {
      // The text of a value is that of its flag, which does not describe the value.
      const meaning = kind === "argument:value" ? "" : brief;
      return `${flag === "" ? "" : `${flag}=`}${tame(completion)}\t${meaning}\n`;
    });
  return lines.join("");
}
