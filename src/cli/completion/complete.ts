import { type Application, proposeCompletions } from "@stricli/core";
import type { Context } from "../commandLine/context.js";

/**
 * What may stand where the cursor is, a line each with its meaning behind a tab: for the scripts of
 * `remit completion`. Nothing at all stands for a file.
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
      // Of a value the brief is that of its flag, and says nothing of the value.
      const meaning = kind === "argument:value" ? "" : brief;
      return `${flag === "" ? "" : `${flag}=`}${completion}\t${meaning}\n`;
    });
  return lines.join("");
}
