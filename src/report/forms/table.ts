import type { Diagnostic } from "../../model/diagnostic.js";
import type { FailureReport } from "../failure/report.js";
import type { OutcomeReport } from "../outcome/report.js";
import type { PlanReport } from "../plan/report.js";
import type { Page } from "../text/page.js";
import type { PlanPart } from "../view/sections.js";
import type { View } from "../view/view.js";

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
  /** What of a plan in a terminal is printed: other formats print all of it. */
  readonly part: PlanPart;
  /** Whether the reader asked for details. */
  readonly verbose: boolean;
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
  /** The project's folder from the root of the checkout, with `/`; empty where they are the same. */
  readonly folder: string;
  /** Gives the saved plan as gzip in base64, for a format that contains it; null for none. */
  readonly packed: (() => string) | null;
  /** The version of remit. */
  readonly version: string;
  /** The exit code of the run; null where it is not known, and without a run. */
  readonly exitCode: number | null;
}

/** How one format prints each subject. */
type Renderers = {
  readonly [S in keyof Subjects]: () => Promise<(subject: Subjects[S], options: FormOptions) => string>;
};

/** Every output format; a new one is one entry here. The code of a format is loaded when it is used. */
const FORMS = {
  text: {
    plan: ofView(async () => (await import("./terminal/plan.js")).renderPlanText),
    outcome: async () => (await import("./terminal/outcome.js")).renderOutcomeText,
    failure: async () => (await import("./terminal/outcome.js")).renderFailureText,
    diagnostics: async () => (await import("./terminal/diagnostics.js")).toText,
  },
  json: {
    plan: async () => (await import("./json.js")).renderPlanJson,
    outcome: async () => (await import("./json.js")).renderOutcomeJson,
    failure: async () => (await import("./json.js")).renderFailureJson,
    diagnostics: async () => (await import("./json.js")).toJson,
  },
  markdown: {
    plan: ofView(async () => (await import("./markdown/plan.js")).renderPlanMarkdown, "people"),
    outcome: async () => (await import("./markdown/outcome.js")).renderOutcomeMarkdown,
    failure: async () => (await import("./markdown/outcome.js")).renderFailureMarkdown,
    diagnostics: async () => (await import("./markdown/diagnostics.js")).toMarkdown,
  },
  html: {
    plan: ofView(async () => (await import("./html/plan.js")).renderPlanHtml),
    outcome: async () => (await import("./html/outcome.js")).renderOutcomeHtml,
    failure: async () => (await import("./html/outcome.js")).renderFailureHtml,
    diagnostics: async () => (await import("./html/diagnostics.js")).toHtml,
  },
  github: overNotices(async () => {
    const { githubHeadline, toGithub } = await import("./github.js");
    return (notices, options, headline) =>
      `${headline === null ? "" : githubHeadline(headline)}${toGithub(notices, options)}`;
  }),
  sarif: overNotices(async () => (await import("./sarif.js")).toSarif),
  codequality: overNotices(async () => (await import("./codequality.js")).toCodeQuality),
  junit: overNotices(async () => (await import("./junit.js")).toJunit),
  terraform: {
    plan: async () => (await import("./terraform.js")).renderPlanTerraform,
    outcome: async () => (await import("./terraform.js")).renderOutcomeTerraform,
    failure: async () => (await import("./terraform.js")).renderFailureTerraform,
    diagnostics: async () => (await import("./terraform.js")).toTerraform,
  },
  summary: {
    plan: async () => (await import("./summary.js")).renderPlanSummary,
    outcome: async () => (await import("./summary.js")).renderOutcomeSummary,
    failure: async () => (await import("./summary.js")).renderFailureSummary,
    diagnostics: async () => (await import("./summary.js")).toSummary,
  },
} satisfies Record<string, Renderers>;

/** The name of an output format. */
export type Form = keyof typeof FORMS;

/** How a format prints a plan that shows its view. */
function ofView(
  load: () => Promise<(view: View, options: FormOptions) => string>,
  order?: "people",
): Renderers["plan"] {
  return async () => {
    const print = await load();
    const { viewOf } = await import("../view/view.js");
    return (report, options) => print(viewOf(report, order, options.part), options);
  };
}

/** How a format prints that knows only lines and messages; the headline is about the whole run, null for none. */
type NoticesRenderer = (
  notices: readonly Diagnostic[],
  options: FormOptions,
  headline: string | null,
) => string;

/** A format that prints every subject as the diagnostics that it consists of. */
function overNotices(load: () => Promise<NoticesRenderer>): Renderers {
  return {
    plan: async () => {
      const print = await load();
      const { noticesOfPlan } = await import("../plan/notices.js");
      const { lastLine } = await import("../plan/words/tally.js");
      return (report, options) => print(noticesOfPlan(report), options, lastLine(report));
    },
    outcome: async () => {
      const print = await load();
      const { noticesOfOutcome } = await import("../outcome/notices.js");
      const { verdictOf } = await import("../outcome/verdict.js");
      return (report, options) => print(noticesOfOutcome(report), options, verdictOf(report).text);
    },
    failure: async () => {
      const print = await load();
      const { sentenceOf } = await import("../failure/report.js");
      return (report, options) => print(report.diagnostics, options, sentenceOf(report));
    },
    diagnostics: async () => {
      const print = await load();
      return (diagnostics, options) => print(diagnostics, options, null);
    },
  };
}

/** The names of the formats, in the order of the table. */
export const FORM_NAMES = Object.keys(FORMS) as readonly Form[];

/** Whether there is a format of that name. */
export function isForm(name: string): name is Form {
  return Object.hasOwn(FORMS, name);
}

/** Prints a subject in a format. Throws for an unknown format, and never falls back on another one. */
export async function render<S extends keyof Subjects>(
  form: Form,
  subject: S,
  value: Subjects[S],
  options: FormOptions,
): Promise<string> {
  if (!isForm(form)) throw new Error(`the format ${form} does not exist`);
  const renderers: Renderers = FORMS[form];
  return (await renderers[subject]())(value, options);
}
