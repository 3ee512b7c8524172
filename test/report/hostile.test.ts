import type { Diagnostic } from "../../src/model/diagnostic.js";
import type { FailureReport } from "../../src/report/failure/report.js";
import { renderFailureJson, renderOutcomeJson, renderPlanJson } from "../../src/report/forms/json.js";
import { renderFailureMarkdown, renderOutcomeMarkdown } from "../../src/report/forms/markdown/outcome.js";
import { renderPlanMarkdown } from "../../src/report/forms/markdown/plan.js";
import { renderFailureText, renderOutcomeText } from "../../src/report/forms/terminal/outcome.js";
import { withStatements as withOutcomeStatements } from "../../src/report/outcome/describe.js";
import type { OutcomeReport } from "../../src/report/outcome/report.js";
import type { FieldReport, PlanReport, StepReport } from "../../src/report/plan/report.js";
import { withStatements } from "../../src/report/plan/statements.js";
import { advance, NO_PROGRESS } from "../../src/report/progress/progress.js";
import { plainLine, renderProgress } from "../../src/report/progress/render.js";
import { plain } from "../../src/report/text/paint.js";
import { viewOf } from "../../src/report/view/view.js";
import { rendererContract } from "../contracts/renderer.js";
import { HASH, report, span } from "./plans.js";
import { printed } from "./printed.js";

function note(text: string): Diagnostic {
  return { code: "plan/says", severity: "error", message: text, hint: text, span: span(3, text) };
}

function fields(text: string): readonly FieldReport[] {
  const differences: readonly FieldReport["difference"][] = [
    { type: "value", before: text, after: text },
    { type: "value", before: null, after: text },
    {
      type: "text",
      words: [
        { as: "same", text },
        { as: "removed", text },
        { as: "added", text },
      ],
    },
    { type: "set", added: [text], removed: [text], kept: 1 },
    { type: "choice", sentence: text, before: text, after: text },
  ];
  return differences.map((difference, at) => ({
    path: text,
    cause: at % 2 === 0 ? "edited" : "drifted",
    edit: at % 2 === 0 ? { commit: text, author: text } : null,
    line: 4,
    file: at === 0 ? text : null,
    difference,
  }));
}

function step(text: string, action: StepReport["action"]): StepReport {
  return {
    address: text,
    labels: { [text]: text },
    app: text,
    action,
    renamedFrom: action === "create" ? text : null,
    replaces: action === "replace" ? { title: text, key: text, by: "create" } : null,
    staysActive: false,
    title: text,
    reason: "edited in the manifest",
    place: { file: `dir/${text}`, line: 3 },
    risk: 3,
    fields: fields(text),
    isDrift: false,
    givenBack: [text],
    remarks: (["place", "reason", "below"] as const).map((where) => {
      return { code: text, where, text, names: [text], lines: [text] };
    }),
    people: null,
    kept: [text],
    needs: [text],
    calls: [text],
    diagnostics: [note(text)],
  };
}

function hostilePlan(text: string): PlanReport {
  const answer = { by: "project", until: text, reason: text, of: null } as const;
  return withStatements({
    ...report([]),
    server: text,
    commit: text,
    pending: true,
    settings: {
      from: { named: text, commit: text },
      differences: (["loosens", "intent", "tightens"] as const).map((effect) => ({
        setting: text,
        effect,
        inForce: text,
        workingTree: { [text]: [text] },
        place: { file: text, line: 3 },
      })),
      loosened: [{ setting: text, value: text, standard: text, from: text }],
    },
    steps: [step(text, "update"), step(text, "create"), { ...step(text, "update"), isDrift: true }],
    findings: [
      {
        guard: "nobody",
        address: text,
        message: text,
        hash: text,
        acknowledged: null,
        proposed: [{ setting: text, place: { file: text, line: 3 } }],
        flag: text,
      },
      {
        guard: "everyone",
        address: text,
        message: text,
        hash: text,
        acknowledged: null,
        proposed: [],
        flag: `--acknowledge everyone=${text}`,
      },
      {
        guard: "max-deletes",
        address: null,
        message: text,
        hash: text,
        acknowledged: answer,
        proposed: [],
        flag: text,
      },
    ],
    unseen: [{ what: text, why: text }],
    rewritten: [{ address: text, fields: [text] }],
    notCompared: [{ kind: text, objects: 1, members: [text] }],
    calls: { made: { [text]: 1 }, ahead: { [text]: 1 } },
    diagnostics: [{ ...note(text), severity: "warning" }],
    writtenUnseen: [text],
    unmanaged: {
      ...{ isWhole: true, isRead: true },
      kinds: [
        {
          ...{ kind: text, counted: text, count: 1, ignored: 1, within: null, isSure: true },
          objects: [{ key: text, name: text, app: text, lines: [text] }],
        },
      ],
    },
    unapplied: { after: text, commits: [{ commit: text, subject: text }], more: 1 },
    since: { ref: text, commit: text, pending: [step(text, "update")] },
  });
}

function hostileOutcome(text: string): OutcomeReport {
  const about = {
    address: text,
    action: "update",
    title: text,
    place: { file: `dir/${text}`, line: 3 },
  } as const;
  return withOutcomeStatements({
    formatVersion: 1,
    server: text,
    commit: text,
    effect: HASH,
    run: text,
    outcomes: { done: 1, failed: 1, skipped: 1, refused: 0, left: 0, uncertain: 0 },
    done: { update: 1 },
    steps: (["failed", "skipped", "done"] as const).map((outcome) => {
      return { ...about, outcome, isAlreadySo: false, diagnostics: outcome === "done" ? [] : [note(text)] };
    }),
    interrupted: text,
    fault: note(text),
    calls: 3,
    writes: 3,
    retries: 1,
    seconds: 2,
    throttled: 1,
    remaining: text,
    takesEffect: [text],
    next: [text],
    diagnostics: [note(text)],
  });
}

function hostileFailure(text: string): FailureReport {
  return {
    formatVersion: 1,
    command: "apply",
    failure: "failed",
    exitCode: 1,
    server: "https://acme.example",
    commit: null,
    diagnostics: [note(text), note(text)],
  };
}

function hostileProgress(text: string) {
  const address = { kind: text, name: text };
  const events = [
    { type: "run started", run: text, plan: HASH, steps: 2, calls: 2 },
    { type: "step started", address, action: "update" },
    { type: "retried", address, attempt: 2, waiting: 5000, why: text },
    { type: "interrupted", signal: text },
  ] as const;
  return events.reduce((progress, event) => advance(progress, event, 0), NO_PROGRESS);
}

const page = { maxBytes: null, linkBase: null };

rendererContract("a plan at a terminal", "terminal", (text, columns) =>
  printed(hostilePlan(text), { columns }),
);
rendererContract("a plan in Markdown", "markdown", (text) =>
  renderPlanMarkdown(viewOf(hostilePlan(text), "people"), page),
);
rendererContract("a plan in Markdown with links", "markdown", (text) =>
  renderPlanMarkdown(viewOf(hostilePlan(text), "people"), {
    ...page,
    linkBase: "https://host/o/r/blob/main/",
  }),
);
rendererContract("a plan in JSON", "json", (text) => renderPlanJson(hostilePlan(text)));
rendererContract("an outcome at a terminal", "terminal", (text, columns) =>
  renderOutcomeText(hostileOutcome(text), { columns, paint: plain, verbose: true }),
);
rendererContract("an outcome in Markdown", "markdown", (text) =>
  renderOutcomeMarkdown(hostileOutcome(text), page),
);
rendererContract("an outcome in JSON", "json", (text) => renderOutcomeJson(hostileOutcome(text)));
rendererContract("a failure as text", "log", (text, columns) =>
  renderFailureText(hostileFailure(text), { columns, paint: plain }),
);
rendererContract("a failure in Markdown", "markdown", (text) =>
  renderFailureMarkdown(hostileFailure(text), page),
);
rendererContract("a failure in JSON", "json", (text) => renderFailureJson(hostileFailure(text)));
rendererContract("progress at a terminal", "terminal", (text, columns) =>
  renderProgress(hostileProgress(text), { columns, now: 1000, paint: plain }),
);
rendererContract("progress in a log", "log", (text) => plainLine(hostileProgress(text), 1000));
