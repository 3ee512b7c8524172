import { didYouMean } from "../../../entry/messages.js";
import { kinds } from "../../../entry/schemas.js";
import type { ImportChoice, TerraformState } from "../../../entry/session.js";
import type { Checked, Diagnostic } from "../../../entry/values.js";

/** The flags that choose what is imported. */
export interface ImportChoiceFlags {
  readonly app?: readonly string[];
  readonly template?: readonly string[];
  readonly limit?: number;
}

/** What a command line chooses to import; all of it is in a state of Terraform where one is given. */
export function choiceFrom(
  { app = [], template = [], limit }: ImportChoiceFlags,
  texts: readonly string[],
  terraform: TerraformState | null,
): Checked<ImportChoice> {
  const patterns = texts.map((text) => {
    const [kind = "", ...rest] = text.split("/");
    return { kind, name: rest.length === 0 ? "*" : rest.join("/") };
  });
  const known = kinds.map(({ name }) => name);
  const unknown = patterns.filter(({ kind }) => !known.includes(kind)).map(({ kind }) => noKind(kind, known));
  const templates = template.map((text) => text.split(/[?#]/, 1)[0]?.split("/").filter(Boolean).at(-1) ?? "");
  const objects = terraform?.instances ?? null;
  return {
    value: { patterns, apps: app, templates, limit: limit ?? null, objects },
    diagnostics: unknown,
  };
}

function noKind(kind: string, known: readonly string[]): Diagnostic {
  return {
    code: "command/no-such-kind",
    severity: "error",
    message: `no kind has the name ${JSON.stringify(kind)}`,
    hint: `${didYouMean(kind, known) ?? ""} Write a kind, or a kind and a pattern of names: 'TemplateScope/q4-*'.`.trim(),
  };
}
