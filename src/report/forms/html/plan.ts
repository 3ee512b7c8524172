import { DENIED } from "../../../plan/guards/own/ownGuard.js";
import type { FindingReport, PlanReport, StepReport } from "../../plan/report.js";
import { isProposed } from "../../plan/words/settings.js";
import { acknowledgementOf, exactFormOf, lastLine, sinceOf } from "../../plan/words/tally.js";
import { besideOf, ofRank, type Rank, type StatedObject, sentencesOf } from "../../statement.js";
import { bytesOf } from "../../text/budget.js";
import { many } from "../../text/layout.js";
import { type Html, html, NOTHING, proseHtml, verbatim } from "./html.js";
import { pageOf } from "./page.js";
import { bodyOf, stepOf } from "./step.js";

/** The options of a plan as a page. */
export interface HtmlOptions {
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
  /** Gives the saved plan as gzip in base64, so that `remit show` reads the page; null for a page without it. */
  readonly packed: (() => string) | null;
  /** The most bytes of UTF-8; null means the limit of every page. */
  readonly maxBytes: number | null;
}

/** The most bytes of a page: a larger one opens slowly, and some services refuse it. */
export const MOST_BYTES = 3_000_000;

const LEFT_OUT = html`<p>Left out to keep this page small. <code>remit show FILE</code> of this page prints it.</p>`;

/** A plan as one page: what stops it first, then each step, the riskiest first, and what was not seen. */
export function renderPlanHtml(report: PlanReport, { linkBase, packed, maxBytes }: HtmlOptions): string {
  const meant = report.steps.filter(({ isDrift }) => !isDrift);
  const drifted = report.steps.filter(({ isDrift }) => isDrift);
  const pending = report.since?.pending ?? [];
  const all = [...meant, ...drifted, ...pending];
  const data = packed === null ? "" : packed();
  const compose = (shown: ReadonlyMap<StepReport, Html>) => {
    const ids = new Set<string>();
    const section = (title: string, steps: readonly StepReport[]) =>
      sectionOf(
        title,
        steps.map((step) => {
          const id = ids.has(step.address) ? null : step.address;
          ids.add(step.address);
          return stepOf(step, id, shown.get(step) ?? LEFT_OUT);
        }),
      );
    return pageOf({
      title: `remit plan · ${report.context === undefined ? "" : `${report.context} · `}${report.server}`,
      header: headerOf(report),
      main: html`${sectionsOf(report, "before")}${guardsOf(report)}${leftOutOf(all, shown)}${
        all.length === 0 ? NOTHING : TOOLS
      }${section("Changes", meant)}${section(driftTitle(report), drifted)}${sectionsOf(report, "after")}${section(
        "What was pending already",
        pending,
      )}${closingOf(report)}`,
      data:
        packed === null
          ? null
          : html`<script type=application/gzip id="remit-plan">${verbatim(data)}</script>
`,
    });
  };
  const bodies = all.map((step) => [step, bodyOf(step, linkBase)] as const);
  const room = (maxBytes ?? MOST_BYTES) - bytesOf(compose(new Map()));
  return compose(fittingBodies(bodies, room));
}

/** The bodies that fit, in the order of the steps; each takes the place of a sentence. */
function fittingBodies(
  bodies: readonly (readonly [StepReport, Html])[],
  bytes: number,
): ReadonlyMap<StepReport, Html> {
  const saved = bytesOf(LEFT_OUT.html);
  let room = bytes;
  return new Map(
    bodies.filter(([, body]) => {
      const size = bytesOf(body.html) - saved;
      if (size > room) return false;
      room -= size;
      return true;
    }),
  );
}

function leftOutOf(all: readonly StepReport[], shown: ReadonlyMap<StepReport, Html>): Html {
  const count = all.filter((step) => !shown.has(step)).length;
  return count === 0
    ? NOTHING
    : html`<div class="note">The details of ${many(count, "change")} with the least risk are left out to keep this page small. <code>remit show FILE</code> of this page prints them.</div>
`;
}

function headerOf(report: PlanReport): Html {
  const { server, context, commit, since, effect } = report;
  const top = ofRank(report.statements, "top").flatMap((one) =>
    sentencesOf(one).map(
      (text) => html`<p class="${one.severity === "note" ? html`sum` : html`w`}">${proseHtml(text)}</p>`,
    ),
  );
  return html`<h1>Plan</h1>
<p class="sum">${lastLine(report)}</p>
<p class="dim">${context === undefined ? "" : `context ${context} · `}${server}${commit === null ? "" : ` · commit ${commit.slice(0, 12)}`}${
    since === null ? "" : ` · ${sinceOf(since)}`
  }</p>
<p class="dim"><code>${effect}</code></p>
${top}`;
}

const CLASSES = { error: html`r`, warning: html`w`, note: html`dim` } as const;

/** The statements of a rank, each with its objects below it. */
function sectionsOf({ statements }: PlanReport, rank: Rank): readonly Html[] {
  return ofRank(statements, rank).map(({ text, severity, count, objects }) => {
    const shown = objects.slice(0, MOST_OBJECTS).map(objectOf);
    const more = objects.length === 0 ? 0 : count - shown.length;
    const all = [...shown, ...(more > 0 ? [html`<li>… and ${String(more)} more</li>`] : [])];
    const list = all.length === 0 ? NOTHING : html`<ul>${all}</ul>`;
    const box = severity === "warning" ? html` class="note"` : NOTHING;
    return html`<section${box}><h2>${proseHtml(text)}</h2>${list}</section>
`;
  });
}

function objectOf(object: StatedObject): Html {
  const where = besideOf(object);
  if (object.lines.length > 0) {
    return html`<li><details><summary>${object.text}</summary><code>${where}</code><pre>${object.lines.join("\n")}</pre></details></li>
`;
  }
  return html`<li>${proseHtml(object.text)}${where === "" ? NOTHING : html` · <code>${where}</code>`}</li>`;
}

function guardsOf({ findings: all, isDecided }: PlanReport): Html {
  const findings = all.filter((finding) => !isProposed(finding));
  if (findings.length === 0) return NOTHING;
  const open = findings.filter(({ acknowledged }) => acknowledged === null).length;
  const title = !isDecided
    ? "Guards, not decided: an offline plan that is not saved cannot be applied"
    : open === 0
      ? "Guards, all acknowledged"
      : `${many(open, "guard")} to acknowledge: nothing is applied until then`;
  return html`<section><h2>${title}</h2>${findings.map(findingOf)}</section>
`;
}

function findingOf(finding: FindingReport): Html {
  const { guard, address, message, flag } = finding;
  const answer = acknowledgementOf(finding);
  const exact = exactFormOf(finding);
  const about = address === null ? NOTHING : html` <a href="#${address}">${address}</a>:`;
  return html`<div class="${answer === null ? "stop" : "ok"}"><b>${guard}</b>${about} ${message}<br>${
    answer ?? (flag === null ? DENIED : html`<code>${flag}</code>`)
  }${exact === null ? NOTHING : html`<br>for this finding only: <code>${exact}</code>`}</div>
`;
}

const ORDERS = [
  ["", "by risk"],
  ["loses", "by who loses access"],
  ["gains", "by who gains access"],
  ["app", "by app"],
] as const;

const ORDER = html`<label>Order <select name="order">${ORDERS.map(
  ([by, label]) => html`<option value="${by}">${label}</option>`,
)}</select></label>`;

const TOOLS = html`<div id="tools" role="search" hidden><label>Search <input type="search" accesskey="s" autocomplete="off" spellcheck="false"></label>${[
  ["action", "Action"],
  ["kind", "Kind"],
  ["app", "App"],
  ["people", "People"],
  ["cause", "Cause"],
  ["label", "Label"],
].map(
  ([name = "", label = ""]) =>
    html`<label>${label} <select name="${name}"><option value="">all</option></select></label>`,
)}${ORDER}<button type="button" name="all">Open or close all</button><button type="button" name="reset">Show all</button><div id="count" role="status"></div></div>
`;

function sectionOf(title: string, steps: readonly Html[]): Html {
  return steps.length === 0
    ? NOTHING
    : html`<section><h2>${title}</h2>
${steps}</section>
`;
}

/** The objects that a page shows of each statement. */
const MOST_OBJECTS = 500;

function driftTitle({ refreshOnly }: PlanReport): string {
  const what = "Drift: the tenant was changed since the last apply";
  return refreshOnly
    ? `${what}. This plan changes nothing; --record records it.`
    : `${what}. An apply reverts it.`;
}

function closingOf({ statements }: PlanReport): Html {
  const items = ofRank(statements, "end", "detail").flatMap((one) =>
    sentencesOf(one).map((text) => html`<li class="${CLASSES[one.severity]}">${proseHtml(text)}</li>`),
  );
  return items.length === 0
    ? NOTHING
    : html`<section><h2>About this plan</h2><ul>${items}</ul></section>
`;
}
