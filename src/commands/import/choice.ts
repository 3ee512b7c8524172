import { noSuchKind } from "../../cli/run/noSuchKind.js";
import { kinds } from "../../kinds/index.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import type { RowCondition } from "../../tenant/rowFilter.js";
import { say } from "../../words/say.js";
import type { ImportChoice } from "./chosen.js";
import type { TerraformState } from "./terraform/state.js";

/** The flags that choose what is imported. */
interface ImportChoiceFlags {
  readonly app?: readonly string[];
  readonly template?: readonly string[];
  readonly where?: readonly string[];
  readonly limit?: number;
}

/** What a command line chooses to import; all of it is in a state of Terraform where one is given. */
export function choiceFrom(
  { app = [], template = [], where = [], limit }: ImportChoiceFlags,
  texts: readonly string[],
  terraform: TerraformState | null,
): Checked<ImportChoice> {
  const patterns = texts.map((text) => {
    const [kind = "", ...rest] = text.split("/");
    return { kind, name: rest.length === 0 ? "*" : rest.join("/") };
  });
  const known = kinds.map(({ name }) => name);
  const unknown = patterns
    .filter(({ kind }) => !known.includes(kind))
    .map(({ kind }) =>
      noSuchKind(kind, known, "Write a kind, or a kind and a pattern of names: 'TemplateScope/q4-*'."),
    );
  const conditions = where.map(conditionFrom);
  const unclear = where.filter((_, place) => conditions[place] === null).map(noCondition);
  const templates = template.map((text) => text.split(/[?#]/, 1)[0]?.split("/").filter(Boolean).at(-1) ?? "");
  const objects = terraform?.instances ?? null;
  return {
    value: {
      patterns,
      apps: app,
      templates,
      limit: limit ?? null,
      where: conditions.filter((condition) => condition !== null),
      objects,
    },
    diagnostics: [...unknown, ...unclear],
  };
}

function conditionFrom(text: string): RowCondition | null {
  const [, field, sign, pattern = ""] = /^([A-Za-z_]\w*)(!?=)(.*)$/s.exec(text) ?? [];
  return field === undefined ? null : { field, fits: sign === "=", pattern };
}

function noCondition(text: string): Diagnostic {
  return say("command/usage#noCondition", { text });
}
