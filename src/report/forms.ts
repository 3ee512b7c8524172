import type { Diagnostic } from "../model/diagnostic.js";
import type { FailureReport } from "./failure/report.js";
import type { OutcomeReport } from "./outcome/report.js";
import type { PlanReport } from "./plan/report.js";
import type { Page } from "./text/page.js";

/** Everything that can be printed in a format, by its name. */
export interface Subjects {
  readonly plan: PlanReport;
  readonly outcome: OutcomeReport;
  readonly failure: FailureReport;
  readonly diagnostics: readonly Diagnostic[];
}

/** The options of all formats; each format reads those that it needs. */
export interface FormOptions extends Page {
  /** Whether a reader may see the signs for the first time, and needs their legend. */
  readonly legend: boolean;
  /** Whether the reader asked for details. */
  readonly verbose: boolean;
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
  /** The project's folder from the root of the checkout, with `/`; empty where they are the same. */
  readonly folder: string;
  /** The version of remit. */
  readonly version: string;
}

/** How one format prints each subject; null for a subject that it cannot print. */
type Renderers = {
  readonly [S in keyof Subjects]:
    | (() => Promise<(subject: Subjects[S], options: FormOptions) => string>)
    | null;
};

/** The name of an output format. */
export type Form = "text" | "json" | "markdown" | "github" | "sarif";

/** Every output format; a new one is one entry here. The code of a format is loaded when it is used. */
export const FORMS = {
  text: {
    plan: async () => (await import("./plan/terminal/render.js")).renderPlanText,
    outcome: async () => (await import("./outcome/terminal.js")).renderOutcomeText,
    failure: async () => (await import("./failure/text.js")).renderFailureText,
    diagnostics: async () => (await import("./diagnostics/text.js")).toText,
  },
  json: {
    plan: async () => (await import("./plan/json.js")).renderPlanJson,
    outcome: async () => (await import("./outcome/json.js")).renderOutcomeJson,
    failure: async () => (await import("./failure/json.js")).renderFailureJson,
    diagnostics: async () => (await import("./diagnostics/json.js")).toJson,
  },
  markdown: {
    plan: async () => (await import("./plan/markdown/render.js")).renderPlanMarkdown,
    outcome: async () => (await import("./outcome/markdown.js")).renderOutcomeMarkdown,
    failure: async () => (await import("./failure/markdown.js")).renderFailureMarkdown,
    diagnostics: null,
  },
  github: {
    plan: null,
    outcome: null,
    failure: null,
    diagnostics: async () => (await import("./diagnostics/github.js")).toGithub,
  },
  sarif: {
    plan: null,
    outcome: null,
    failure: null,
    diagnostics: async () => (await import("./diagnostics/sarif.js")).toSarif,
  },
} satisfies Record<Form, Renderers>;

/** The formats that a subject can be printed in. */
export type FormOf<S extends keyof Subjects> = {
  [F in Form]: (typeof FORMS)[F][S] extends null ? never : F;
}[Form];

/** The names of the formats that a subject can be printed in, in the order of the table. */
export function formsOf<S extends keyof Subjects>(subject: S): readonly FormOf<S>[] {
  const names = Object.keys(FORMS) as readonly Form[];
  return names.filter((form): form is FormOf<S> => FORMS[form][subject] !== null);
}

/** Whether a subject can be printed in a format of that name. */
export function isFormOf<S extends keyof Subjects>(subject: S, name: string): name is FormOf<S> {
  return formsOf(subject).some((form) => form === name);
}

/** Prints a subject in a format. Throws for a format that cannot print it, and never falls back on another one. */
export async function render<S extends keyof Subjects>(
  form: FormOf<S>,
  subject: S,
  value: Subjects[S],
  options: FormOptions,
): Promise<string> {
  const renderers: Renderers | null = isFormOf(subject, form) ? FORMS[form] : null;
  const load = renderers?.[subject] ?? null;
  if (load === null) throw new Error(`the format ${form} cannot print the subject ${subject}`);
  return (await load())(value, options);
}
