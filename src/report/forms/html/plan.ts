import { moreOf } from "../../../words/more.js";
import { besideOf, type StatedObject, type Statement, sentencesOf } from "../../statement.js";
import { bytesOf } from "../../text/budget.js";
import { capitalised } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import type { Block } from "../../view/blocks.js";
import { plainFact } from "../../view/facts.js";
import type { FindingView, GuardsView } from "../../view/guards.js";
import type { SectionName } from "../../view/sections.js";
import type { View } from "../../view/view.js";
import { type Html, html, lines, NOTHING, proseHtml, verbatim } from "./html.js";
import { pageOf, titleOf } from "./page.js";
import { matrixOf, reviewsOf, spreadOf, tilesOf, verdictBox } from "./pictures.js";
import { bodyOfBlock, type Ids, lineOf } from "./step.js";

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

/** A plan as one page: what stops it first, then each step, the riskiest first, and what was not seen. */
export function renderPlanHtml(view: View, { linkBase, packed, maxBytes }: HtmlOptions): string {
  const { meant, drifted, driftTitle, earlier } = view.changes;
  const all = [...meant, ...drifted, ...earlier];
  const data = packed === null ? "" : packed();
  const most = maxBytes ?? MOST_BYTES;
  const ids = idsOf(all);
  const own = ({ as, steps: [step] }: Block) => (as === "step" && step && ids.get(step)) || null;
  // Chosen once, each with its link: without one, another might fit that has no room on the page.
  const { guards } = view;
  const findings = findingsWithin(guards, most / 4, new Set(ids.values()));
  const compose = (
    listed: ReadonlySet<Block>,
    shown: ReadonlyMap<Block, Html>,
    linked: readonly Block[] = [...listed],
  ) => {
    const targets = new Set(
      linked
        .flatMap((block) =>
          shown.has(block) ? block.steps : block.as === "step" ? block.steps.slice(0, 1) : [],
        )
        .flatMap((step) => ids.get(step) ?? []),
    );
    const section = (title: string, blocks: readonly Block[]) => {
      const lines = blocks
        .filter((block) => listed.has(block))
        .map((block) => lineOf(block, own(block), shown.get(block) ?? null));
      return sectionOf(title, lines, blocks.length - lines.length);
    };
    const hasPictures = listed.size > 0;
    const main: Readonly<Record<SectionName, Html | readonly Html[]>> = {
      verdict: NOTHING,
      facts: NOTHING,
      figures: NOTHING,
      counted: NOTHING,
      loud: NOTHING,
      people: NOTHING,
      spread: hasPictures ? spreadOf(view.spread) : NOTHING,
      reviews: hasPictures ? reviewsOf(view.reviews) : NOTHING,
      groups: hasPictures ? matrixOf(view.groups) : NOTHING,
      before: sectionsOf(view.before),
      guards: guardsOf(guards, findings, targets),
      meant: [
        leftOutOf(all.length - shown.size),
        all.length > FEW ? TOOLS : NOTHING,
        section("Changes", meant),
      ],
      drifted: section(driftTitle, drifted),
      earlier: section("What was pending already", earlier),
      after: sectionsOf(view.after),
      legend: NOTHING,
      about: closingOf(view),
    };
    return pageOf({
      title: titleOf("plan", view.facts),
      header: headerOf(view),
      main: html`${view.sections.flatMap((name) => main[name])}`,
      data:
        packed === null
          ? null
          : html`<script type=application/gzip id="remit-plan">${verbatim(data)}</script>
`,
    });
  };
  const frame = compose(new Set(all.slice(0, 1)), new Map(), all);
  const lines = all.map((block) => [block, lineOf(block, own(block), null)] as const);
  const listed = fitting(lines, most - bytesOf(frame));
  const bodies = all
    .filter((block) => listed.fit.has(block))
    .map((block) => [block, bodyOfBlock(block, linkBase, ids)] as const);
  return compose(new Set(listed.fit.keys()), fitting(bodies, listed.room).fit);
}

/** Up to this many changes are read without a search and without filters. */
const FEW = 15;

/** The id of each step's part of the page: where several have one address, only the first has one. */
function idsOf(blocks: readonly Block[]): Ids {
  const byId = new Map<string, Block["steps"][number]>();
  for (const step of blocks.flatMap(({ steps }) => steps))
    if (!byId.has(step.address)) byId.set(step.address, step);
  return new Map([...byId].map(([id, step]) => [step, id]));
}

/** The parts that fit, in their order, and the bytes that are left. */
function fitting<T>(parts: readonly (readonly [T, Html])[], bytes: number) {
  let room = bytes;
  const fit = new Map(
    parts.filter(([, part]) => {
      const size = bytesOf(part.html);
      if (size > room) return false;
      room -= size;
      return true;
    }),
  );
  return { fit, room };
}

function leftOutOf(count: number): Html {
  return count === 0
    ? NOTHING
    : html`<div class="note">The details of ${many(count, "change")} with the least risk are left out to keep this page small. <code>remit show FILE</code> of this page prints them.</div>
`;
}

function headerOf({ verdict, figures, facts, effect, counted, loud }: View): Html {
  const top = [...counted, ...loud].flatMap((one) =>
    sentencesOf(one).map(
      (text) => html`<p class="${one.severity === "note" ? html`sum` : html`w`}">${proseHtml(text)}</p>`,
    ),
  );
  return html`<h1>Plan</h1>
${verdictBox(verdict)}<p class="dim">${facts.map(plainFact).join(" · ")} · effect <code title="${effect}">${effect.replace(/^sha256:/, "").slice(0, 8)}</code></p>
${tilesOf(figures)}${top}`;
}

const CLASSES = { error: html`r`, warning: html`w`, note: html`dim` } as const;

/** Statements, each with its objects below it. */
function sectionsOf(statements: readonly Statement[]): readonly Html[] {
  return statements.map(({ text, severity, count, objects }) => {
    const shown = objects.slice(0, MOST_OBJECTS).map(objectOf);
    const more = objects.length === 0 ? [] : moreOf(count - shown.length);
    const all = [...shown, ...more.map((text) => html`<li>${text}</li>`)];
    const list = all.length === 0 ? NOTHING : html`<ul>${all}</ul>`;
    const box = severity === "warning" ? html` class="note"` : NOTHING;
    return html`<section${box}><h2>${proseHtml(text)}</h2>${list}</section>
`;
  });
}

function objectOf(object: StatedObject): Html {
  const where = besideOf(object);
  if (object.lines.length > 0) {
    return html`<li><details><summary>${object.text}</summary><code>${where}</code><pre>${lines(object.lines.join("\n"))}</pre></details></li>
`;
  }
  return html`<li>${proseHtml(object.text)}${where === "" ? NOTHING : html` · <code>${where}</code>`}</li>`;
}

/** The findings that fit. */
function findingsWithin(
  { findings }: GuardsView,
  bytes: number,
  targets: ReadonlySet<string>,
): readonly FindingView[] {
  const first = findings
    .slice(0, MOST_OBJECTS)
    .map((finding) => [finding, findingOf(finding, targets)] as const);
  return [...fitting(first, bytes).fit.keys()];
}

/** Some of the findings; `targets` are the addresses that the page has a line of, where a link leads. */
function guardsOf(
  { heading, findings, answers, flags }: GuardsView,
  shown: readonly FindingView[],
  targets: ReadonlySet<string>,
): Html {
  if (findings.length === 0) return NOTHING;
  const answer =
    answers.length === 0
      ? NOTHING
      : html`<p>To acknowledge, write in remit.yaml:</p><pre>${lines(answers.join("\n"))}</pre><p class="dim">or for one apply: <code>${flags}</code></p>`;
  return html`<section><h2>${heading}</h2>${shown.map((finding) => findingOf(finding, targets))}${unlistedOf(findings.length - shown.length, "guard")}${answer}</section>
`;
}

function findingOf(
  { guard, address, message, isOpen, answer }: FindingView,
  targets: ReadonlySet<string>,
): Html {
  const name = targets.has(address ?? "") ? html`<a href="#${address ?? ""}">${address ?? ""}</a>` : address;
  const about = name === null ? NOTHING : html` ${name}:`;
  return html`<div class="${isOpen ? "stop" : "ok"}"><b>${guard}</b>${about} ${proseHtml(message)}${
    answer === null ? NOTHING : html`<br>${answer}`
  }</div>
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

/** What the page can show a part by. */
const FILTERS = ["action", "kind", "app", "people", "cause", "label"] as const;

const TOOLS = html`<div id="tools" role="search" hidden><label>Search <input type="search" accesskey="s" autocomplete="off" spellcheck="false"></label>${FILTERS.map(
  (name) =>
    html`<label>${capitalised(name)} <select name="${name}"><option value="">all</option></select></label>`,
)}${ORDER}<button type="button" name="all">Open or close all</button><button type="button" name="reset">Show all</button><div id="count" role="status"></div></div>
`;

function sectionOf(title: string, steps: readonly Html[], unlisted: number): Html {
  return steps.length + unlisted === 0
    ? NOTHING
    : html`<section><h2>${title}</h2>
${steps}${unlistedOf(unlisted, "change")}</section>
`;
}

/** What a list on the page has no room for. */
function unlistedOf(count: number, noun: string): Html {
  return count === 0
    ? NOTHING
    : html`<p>… and ${count.toLocaleString("en")} more: ${noun}s that <code>remit show FILE</code> of this page prints</p>
`;
}

/** The objects that a page shows of each statement, and the guards that it shows. */
const MOST_OBJECTS = 500;

function closingOf({ about }: View): Html {
  const items = about.flatMap((one) =>
    sentencesOf(one).map((text) => html`<li class="${CLASSES[one.severity]}">${proseHtml(text)}</li>`),
  );
  return items.length === 0
    ? NOTHING
    : html`<section><h2>About this plan</h2><ul>${items}</ul></section>
`;
}
