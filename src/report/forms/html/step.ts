import { MOVEMENTS, type Movement, mostOf } from "../../plan/byPeople.js";
import type { RemarkReport, StepReport } from "../../plan/report.js";
import { belowFields, driftTitle, labelOf, nameOf, placeOf, plainRemark } from "../../plan/words/labels.js";
import { CAUSES } from "../../plan/words/reasons.js";
import { SIGNS } from "../../plan/words/signs.js";
import { capitalised } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import type { Block } from "../../view/blocks.js";
import { fieldOf } from "./difference.js";
import { type Html, html, lines, NOTHING } from "./html.js";
import { placeLink } from "./link.js";
import { messageOf } from "./message.js";

/** One step: a line that opens, and what is below it; null where the page has no room for that. */
function stepOf(step: StepReport, id: string | null, body: Html | null): Html {
  const { action, title, people } = step;
  const sign = SIGNS[action].sign.trim();
  const label = `${sign}${sign === "" ? "" : " "}${labelOf(step)}`;
  return html`<details class="s ${action}"${filtersOf(step)}><summary><b>${label}</b><span>${nameOf(step)}${
    title === "" ? NOTHING : html` <small>${title}</small>`
  }</span>${people === null ? NOTHING : html`<span>${people.brief}</span>`}</summary><div class="${body === null ? "b o" : "b"}"${
    id === null ? NOTHING : html` id="${id}"`
  }>${body}</div></details>
`;
}

/** Everything that a reader should know of a step, besides its line. */
function bodyOf(step: StepReport, linkBase: string | null): Html {
  return html`${aboutOf(step, linkBase)}${fieldsOf(step)}${restOf(step)}`;
}

/** What stands together as one line: a step with those that need it, the rows of a shape, or what is only recorded. */
export function lineOf(block: Block, id: string | null, body: Html | null): Html {
  if (block.as === "step") return stepOf(block.step, id, body);
  if (block.as === "rows") {
    const [first] = block.shapes;
    const address = block.shapes.map((shape) => shape.address).join(", ");
    return first === undefined ? NOTHING : stepOf({ ...first, address }, id, body);
  }
  const [first] = block.steps;
  const address = `${many(block.steps.length, "object")}: only recorded`;
  return first === undefined
    ? NOTHING
    : stepOf({ ...first, ...(block.steps.length > 1 && { address, title: "" }) }, id, body);
}

/** What is below the line of a block; `idOf` gives each row an id of its own, where a link may lead. */
export function bodyOfBlock(
  block: Block,
  linkBase: string | null,
  idOf: (step: StepReport) => string | null,
): Html {
  const target = (step: StepReport) => {
    const id = idOf(step);
    return id === null ? NOTHING : html` id="${id}"`;
  };
  if (block.as === "step") {
    const { step, needing } = block;
    const names = needing
      .slice(0, MOST_LISTED)
      .map((one) => html`<li${target(one)}><code>${one.address}</code></li>`);
    return html`${bodyOf(step, linkBase)}${
      needing.length === 0
        ? NOTHING
        : html`<p>and ${String(needing.length)} that ${needing.length === 1 ? "needs" : "need"} it:</p><ul>${names}</ul>`
    }`;
  }
  if (block.as === "alike") {
    const [first] = block.steps;
    if (block.steps.length === 1 && first !== undefined) return bodyOf(first, linkBase);
    const listed = block.steps.slice(0, MOST_LISTED);
    const more = block.steps.length - listed.length;
    return html`<ul>${listed.map((step) => html`<li${target(step)}><code>${step.address}</code> ${step.reason}</li>`)}${
      more > 0 ? html`<li>… and ${String(more)} more</li>` : NOTHING
    }</ul>`;
  }
  const rows = block.rows.slice(0, MOST_LISTED);
  const more = block.rows.length - rows.length;
  return html`${block.shapes.map(
    (shape) => html`<p><b>${shape.address}</b></p>${bodyOf(shape, linkBase)}`,
  )}<table><tr><th>row</th><th>changes</th><th>people</th><th>line</th></tr>${rows.map(
    ({ name, values, people, place, steps }) =>
      html`<tr><td>${steps.map((step) => html`<span${target(step)}></span>`)}${name}</td><td>${values.join(", ")}</td><td>${people.join(", ")}</td><td>${
        place === null ? NOTHING : placeLink(place, linkBase)
      }</td></tr>`,
  )}</table>${more > 0 ? html`<p>… and ${String(more)} more</p>` : NOTHING}`;
}

/** The most rows of a block that the page lists. */
const MOST_LISTED = 500;

/** What the filters and the order of the page compare, besides the action and the kind. */
function filtersOf(step: StepReport): Html {
  const { fields, isDrift, labels, app } = step;
  const causes = [
    ...new Set([
      ...(isDrift ? [CAUSES.drifted] : []),
      ...fields.flatMap(({ cause, edit }) => [
        cause === null ? "" : CAUSES[cause],
        edit === null ? "" : "this change",
      ]),
    ]),
  ].filter((cause) => cause !== "");
  const named = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const moving = MOVEMENTS.filter((name) => mostOf(step, name) > 0);
  const attribute = (name: Html, values: readonly string[]) =>
    values.length === 0 ? NOTHING : html` ${name}="${lines(values.join("\n"))}"`;
  const most = (name: Html, movement: Movement) =>
    moving.includes(movement) ? html` ${name}="${mostOf(step, movement)}"` : NOTHING;
  const kind = step.address.replace(/^\d+ × /, "").split("/", 1);
  return html`${attribute(html`data-kind`, kind)}${attribute(html`data-cause`, causes)}${attribute(html`data-label`, named)}${attribute(
    html`data-app`,
    app === null ? [] : [app],
  )}${attribute(
    html`data-people`,
    moving.map((name) => MOVES[name]),
  )}${most(html`data-loses`, "loses")}${most(html`data-gains`, "gains")}`;
}

const MOVES: Readonly<Record<Movement, string>> = {
  loses: "lose access",
  gains: "gain access",
  leaves: "leave a review",
  enters: "enter a review",
};

function aboutOf(step: StepReport, linkBase: string | null): Html {
  const { reason, place, staysActive } = step;
  const where = place === null ? html`${placeOf(step)}` : placeLink(place, linkBase);
  const why = reason === "" ? NOTHING : html`${staysActive ? html`<b class="w">${reason}</b>` : reason}`;
  const parts = [where, why].filter(({ html: text }) => text !== "");
  const [first = NOTHING, ...more] = parts;
  return parts.length === 0
    ? NOTHING
    : html`<p class="dim">${first}${more.map((one) => html` · ${one}`)}</p>`;
}

/** The edited fields first, then the fields that only the tenant changed. */
function fieldsOf(step: StepReport): Html {
  const { fields, isDrift } = step;
  const drifted = isDrift ? [] : fields.filter(({ cause, edit }) => cause === "drifted" && edit === null);
  const meant = fields.filter((field) => !drifted.includes(field));
  const title = driftTitle(step);
  const head = drifted.length === 0 ? NOTHING : html`<p class="w">${capitalised(title)}</p>`;
  return html`${meant.map(fieldOf)}${head}${drifted.map(fieldOf)}`;
}

function restOf(step: StepReport): Html {
  const { givenBack, people, kept, needs, calls, diagnostics } = step;
  const codes = (texts: readonly string[]) =>
    texts.map((text, at) => html`${at === 0 ? "" : ", "}<code>${text}</code>`);
  const paragraph = (texts: readonly string[], before: string) =>
    texts.length === 0 ? NOTHING : html`<p class="dim">${before}${codes(texts)}.</p>`;
  return html`${
    people === null
      ? NOTHING
      : html`<p>People: ${people.lines.map((line, at) => html`${at === 0 ? NOTHING : html`<br>`}${line}`)}</p>`
  }${paragraph(givenBack, "No longer managed, stays as it is in the tenant: ")}${belowFields(step).map(
    remarkOf,
  )}${paragraph(kept, "Kept as it is, unknown to remit: ")}${diagnostics.map(messageOf)}${paragraph(
    needs,
    "After ",
  )}${calls.length === 0 ? NOTHING : html`<p class="dim">Calls: ${calls.join(", ")}</p>`}`;
}

function remarkOf(remark: RemarkReport): Html {
  const content = remark.lines.join("\n");
  const text = capitalised(plainRemark(remark));
  return content === ""
    ? html`<p class="dim">${text}.</p>`
    : html`<p class="dim">${text}:</p><pre>${lines(content)}</pre>`;
}
