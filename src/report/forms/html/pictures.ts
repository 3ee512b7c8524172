import { moreOf } from "../../../words/more.js";
import type { Bar } from "../../view/bars.js";
import type { Figure } from "../../view/figures.js";
import type { ReviewChange } from "../../view/reviews.js";
import { SIGNS } from "../../view/signs.js";
import type { StepView } from "../../view/step.js";
import { type PlanVerdict, verdictLine } from "../../view/verdict.js";
import type { View } from "../../view/view.js";
import { type Html, html, NOTHING, proseHtml } from "./html.js";

const CLASSES = {
  Blocked: html`stop`,
  "Needs a look": html`note`,
  Routine: html`fine`,
  "Nothing to do": html`fine`,
} as const;

/** The verdict of a plan, with its reasons in the same line. */
export function verdictBox(verdict: PlanVerdict): Html {
  return html`<p class="verdict ${CLASSES[verdict.word]}"><b>${verdictLine(verdict)}</b></p>
`;
}

/** The figures of a plan, side by side. */
export function tilesOf(figures: View["figures"]): Html {
  return html`<div class="tiles">${figures.map(tileOf)}</div>
`;
}

function tileOf({ of, more, fewer, unit, sentences }: Figure): Html {
  return html`<div class="tile"><span class="dim">${of}</span><b>${moving(more, html`a`)} ${moving(fewer, html`r`)} <small>${unit}</small></b>${sentences.map(
    (text) => html`<span class="dim">${proseHtml(text)}</span>`,
  )}</div>
`;
}

/** A number in its colour; one of nothing has none. */
function moving(number: string, colour: Html): Html {
  return html`<span class="${/[1-9?]/.test(number) ? colour : html`dim`}">${number}</span>`;
}

/** Who gains and who loses, as bars by each attribute: the first is open. */
export function spreadOf(all: View["spread"]): Html {
  if (all.length === 0) return NOTHING;
  return html`<section><h2>Who gains and who loses access <small class="dim">solid: sure, hatched: may</small></h2>${HATCHED}${all.map(
    ({ title, bars }, at) =>
      html`<details class="by" name="by"${at === 0 ? html` open` : NOTHING}><summary>${title}</summary>${bars.map(barOf)}</details>`,
  )}</section>
`;
}

/** The pattern of those who may: one for all bars. */
const HATCHED = html`<svg class="off" width="0" height="0" aria-hidden="true"><pattern id="may" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="4" class="gains"/></pattern><pattern id="may-lose" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="4" class="loses"/></pattern></svg>`;

function barOf({ name, as, sure, may, number }: Bar): Html {
  const percent = (part: number) => `${Math.round(part * 1000) / 10}%`;
  const hatch = as === "gains" ? "#may" : "#may-lose";
  return html`<div class="bar"><span>${name}</span><svg width="100%" height="16" aria-hidden="true"><rect width="${percent(sure)}" height="16" class="${as === "gains" ? html`gains` : html`loses`}"/><rect x="${percent(sure)}" width="${percent(may)}" height="16" fill="url(${hatch})"/></svg><span class="${as === "gains" ? html`a` : html`r`}">${number}</span></div>`;
}

/** So many rows have a place in the matrix. */
const MOST_ROWS = 60;

/** Groups and their parts: a row for each row of shapes, a dot for what changes of it. */
export function matrixOf(groups: View["groups"]): Html {
  return html`${groups.map((block) => {
    const shown = block.rows.slice(0, MOST_ROWS);
    return html`<section><h2>Groups and their parts</h2><div class="wide" tabindex="0" role="region" aria-label="Groups and their parts"><table class="dots"><tr><th>row</th>${block.shapes.map(
      ({ address }) => html`<th>${partOf(address)}</th>`,
    )}<th>people</th></tr>${shown.map(
      ({ name, people }) =>
        html`<tr><td>${name}</td>${block.shapes.map(dotOf)}<td>${people.join(", ")}</td></tr>`,
    )}</table></div>${moreOf(block.rows.length - shown.length).map((text) => html`<p class="dim">${text}</p>`)}</section>
`;
  })}`;
}

function partOf(address: string): string {
  return address.replace(/^\d+ × /, "").replace(/\/.*$/, "");
}

function dotOf({ action }: StepView): Html {
  const { sign } = SIGNS[action];
  return html`<td><svg viewBox="0 0 12 12" width="14" height="14" role="img" aria-label="${action}"><title>${action}</title><circle cx="6" cy="6" r="5" class="dot ${action}"/></svg> ${sign.trim()}</td>`;
}

/** The most entitlements of a review that are drawn. */
const MOST_CHIPS = 12;

/** Each review whose scope changes, before and after: what is added to it and taken from it, with its grants. */
export function reviewsOf(reviews: readonly ReviewChange[]): Html {
  if (reviews.length === 0) return NOTHING;
  return html`<section><h2>Reviews, before and after</h2>${reviews.map(reviewOf)}</section>
`;
}

function reviewOf({ name, brief, fields, removed, added, kept, grants }: ReviewChange): Html {
  const chips = (names: readonly string[], sign: string, kind: Html) =>
    html`${names.slice(0, MOST_CHIPS).map((one) => html`<span class="chip ${kind}">${sign} ${one}</span>`)}${moreOf(names.length - MOST_CHIPS).map((text) => html`<span class="chip">${text}</span>`)}`;
  const side = (which: "before" | "after") =>
    fields.map(({ name: field, [which]: value }) => html`<br>${field}: <b>${value ?? "not set"}</b>`);
  const [fewer = "", more = ""] = grants ?? [];
  const ofGrants = (number: string) => (number === "" ? NOTHING : html` <b>${number} grants</b>`);
  const same = kept === 0 ? NOTHING : html`<span class="chip">${String(kept)} as before</span>`;
  return html`<div class="ba"><div class="box"><b>${name}</b> <span class="dim">now</span>${side("before")}<br>${same}${chips(removed, "−", html`gone`)}${ofGrants(fewer)}</div><div class="to" aria-hidden="true">→</div><div class="box"><b>after an apply</b> <span class="dim">${brief}</span>${side("after")}<br>${same}${chips(added, "+", html`add`)}${ofGrants(more)}</div></div>
`;
}
