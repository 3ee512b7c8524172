import { moreOf } from "../../../words/more.js";
import { capitalised } from "../../text/escape.js";
import { type Block, needingTitle } from "../../view/blocks.js";
import type { Filters } from "../../view/filters.js";
import { SIGNS } from "../../view/signs.js";
import { type Below, placeOf, type StepView } from "../../view/step.js";
import { messageOf, placeLink } from "./diagnostics.js";
import { fieldOf } from "./difference.js";
import { type Html, html, lines, NOTHING } from "./html.js";

/** The id of each step that has a part of the page, where a link may lead. */
export type Ids = ReadonlyMap<Block["steps"][number], string>;

/** What stands together as one line that opens, and what is below it; null where the page has no room for that. */
export function lineOf({ face, filters }: Block, id: string | null, body: Html | null): Html {
  const { action, label, name, title, people } = face;
  const sign = SIGNS[action].sign.trim();
  return html`<details class="s ${action}"${attributesOf(filters)}><summary><b>${sign}${sign === "" ? "" : " "}${label}</b><span>${name}${
    title === "" ? NOTHING : html` <small>${title}</small>`
  }</span>${people === null ? NOTHING : html`<span>${people}</span>`}</summary><div class="${body === null ? "b o" : "b"}"${
    id === null ? NOTHING : html` id="${id}"`
  }>${body}</div></details>
`;
}

/** Everything that a reader should know of a step, besides its line. */
function bodyOf(step: StepView, linkBase: string | null): Html {
  const { fields, drifted, below, needs, calls } = step;
  return html`${aboutOf(step, linkBase)}${fields.map(fieldOf)}${
    drifted.fields.length === 0 ? NOTHING : html`<p class="w">${capitalised(drifted.title)}</p>`
  }${drifted.fields.map(fieldOf)}${below.map(toldOf)}${
    needs.length === 0 ? NOTHING : toldOf({ as: "names", text: "after", names: needs })
  }${calls.length === 0 ? NOTHING : html`<p class="dim">Calls: ${calls.join(", ")}</p>`}`;
}

/** What is below the line of a block; each row has an id of its own, where a link may lead. */
export function bodyOfBlock(block: Block, linkBase: string | null, ids: Ids): Html {
  const target = (step: Block["steps"][number]) => {
    const id = ids.get(step);
    return id === undefined ? NOTHING : html` id="${id}"`;
  };
  if (block.as === "step") {
    const { face, needing } = block;
    const names = needing
      .slice(0, MOST_LISTED)
      .map((one) => html`<li${target(one)}><code>${one.address}</code></li>`);
    return html`${bodyOf(face, linkBase)}${
      needing.length === 0 ? NOTHING : html`<p>${needingTitle(needing.length)}:</p><ul>${names}</ul>`
    }`;
  }
  if (block.as === "alike") {
    if (block.steps.length === 1) return bodyOf(block.face, linkBase);
    const listed = block.steps.slice(0, MOST_LISTED);
    return html`<ul>${listed.map((step) => html`<li${target(step)}><code>${step.address}</code> ${step.reason}</li>`)}${moreOf(
      block.steps.length - listed.length,
    ).map((text) => html`<li>${text}</li>`)}</ul>${block.notes.map(messageOf)}`;
  }
  const rows = block.rows.slice(0, MOST_LISTED);
  return html`${block.shapes.map(
    (shape) => html`<p><b>${shape.address}</b></p>${bodyOf(shape, linkBase)}`,
  )}<table><tr><th>row</th><th>changes</th><th>people</th><th>line</th></tr>${rows.map(
    ({ name, values, people, place, steps }) =>
      html`<tr><td>${steps.map((step) => html`<span${target(step)}></span>`)}${name}</td><td>${values.join(", ")}</td><td>${people.join(", ")}</td><td>${
        place === null ? NOTHING : placeLink(place, linkBase)
      }</td></tr>`,
  )}</table>${moreOf(block.rows.length - rows.length).map((text) => html`<p>${text}</p>`)}`;
}

/** The most rows of a block that the page lists. */
const MOST_LISTED = 500;

/** What the filters and the order of the page compare, besides the action. */
function attributesOf({ kind, cause, label, app, people, loses, gains }: Filters): Html {
  const attribute = (name: Html, values: readonly string[]) =>
    values.length === 0 ? NOTHING : html` ${name}="${lines(values.join("\n"))}"`;
  const most = (name: Html, count: number) => (count === 0 ? NOTHING : html` ${name}="${count}"`);
  return html`${attribute(html`data-kind`, kind)}${attribute(html`data-cause`, cause)}${attribute(html`data-label`, label)}${attribute(
    html`data-app`,
    app,
  )}${attribute(html`data-people`, people)}${most(html`data-loses`, loses)}${most(html`data-gains`, gains)}`;
}

function aboutOf(step: StepView, linkBase: string | null): Html {
  const { reason, place, staysActive } = step;
  const where = place === null ? html`${placeOf(step)}` : placeLink(place, linkBase);
  const why = reason === "" ? NOTHING : html`${staysActive ? html`<b class="w">${reason}</b>` : reason}`;
  const parts = [where, why].filter(({ html: text }) => text !== "");
  const [first = NOTHING, ...more] = parts;
  return parts.length === 0
    ? NOTHING
    : html`<p class="dim">${first}${more.map((one) => html` · ${one}`)}</p>`;
}

/** What stands below the fields of a step. */
function toldOf(one: Below): Html {
  switch (one.as) {
    case "names":
      return html`<p class="dim">${capitalised(one.text)} ${one.names.map((name, at) => html`${at === 0 ? "" : ", "}<code>${name}</code>`)}.</p>`;
    case "lines": {
      const content = one.remark.lines.join("\n");
      const text = capitalised(one.plain);
      return content === ""
        ? html`<p class="dim">${text}.</p>`
        : html`<p class="dim">${text}:</p><pre>${lines(content)}</pre>`;
    }
    case "people":
      return html`<p>People: ${one.sentences.map((line, at) => html`${at === 0 ? NOTHING : html`<br>`}${line}`)}</p>`;
    case "diagnostic":
      return messageOf(one.diagnostic);
    default:
      return one satisfies never;
  }
}
