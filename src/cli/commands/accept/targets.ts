import type { AcceptTarget } from "../../../entry/session.js";
import { type Checked, type Diagnostic, parseAddress } from "../../../entry/values.js";

/** What a command line accepts: some objects and fields, or null for all drift. */
export function targetsFrom(
  texts: readonly string[],
  isAllDrift: boolean,
): Checked<readonly AcceptTarget[] | null> {
  if (isAllDrift) return { value: null, diagnostics: texts.length === 0 ? [] : [BOTH] };
  if (texts.length === 0) return { value: [], diagnostics: [NOTHING] };
  const value: AcceptTarget[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const [name = "", ...rest] = text.split("#");
    const address = parseAddress(name);
    const field = rest.join("#").replace(/^spec\./, "");
    if (address === undefined || (rest.length > 0 && field === "")) diagnostics.push(noTarget(text));
    else value.push({ address, field: rest.length === 0 ? null : field });
  }
  return { value, diagnostics };
}

const BOTH: Diagnostic = {
  code: "command/usage",
  severity: "error",
  message: "--all-drift and an address cannot both be given",
  hint: "Leave out one of them.",
};

const NOTHING: Diagnostic = {
  code: "command/usage",
  severity: "error",
  message: "nothing is named to accept",
  hint: "Write Kind/name, Kind/name#field, or --all-drift.",
};

function noTarget(text: string): Diagnostic {
  return {
    code: "accept/no-such-target",
    severity: "error",
    message: `${JSON.stringify(text)} is neither an address nor a field of one`,
    hint: "Write Kind/name, or Kind/name#field.",
  };
}
