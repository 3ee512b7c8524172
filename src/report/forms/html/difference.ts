import { moreOf } from "../../../words/more.js";
import type { FieldView } from "../../view/step.js";
import { type Html, html, lines, NOTHING } from "./html.js";

type Difference = FieldView["difference"];

const MOST_ITEMS = 200;

/** One changed field: its path, who changed it, and before and after side by side. */
export function fieldOf({ path, difference, cause, line }: FieldView): Html {
  const about = [cause, line, countsOf(difference)].filter((part) => part !== "");
  const head = difference.type === "choice" ? difference.sentence : path;
  const more = about.length === 0 ? NOTHING : html` <span>${about.join(" · ")}</span>`;
  return html`<div class="f"><code>${head}</code>${more}${sidesOf(difference)}</div>`;
}

function sidesOf(difference: Difference): Html {
  switch (difference.type) {
    case "value":
    case "choice":
      return beside(valueHtml(difference.before), valueHtml(difference.after));
    case "text":
      return beside(wordsOf(difference.words, "removed"), wordsOf(difference.words, "added"));
    case "set":
      return columns(
        itemsOf(difference.removed, (item) => html`<del>${item}</del>`),
        itemsOf(difference.added, (item) => html`<ins>${item}</ins>`),
      );
    default:
      return difference satisfies never;
  }
}

/** What was and what will be: side by side where both exist. */
function beside(before: Html | null, after: Html | null): Html {
  return columns(
    before === null ? null : html`<del>${before}</del>`,
    after === null ? null : html`<ins>${after}</ins>`,
  );
}

function columns(before: Html | null, after: Html | null): Html {
  return before === null || after === null
    ? html`${before}${after}`
    : html`<div class="x"><div>${before}</div><div>${after}</div></div>`;
}

function valueHtml(value: string | null): Html | null {
  return value === null ? null : lines(value);
}

/** One side of a text, with the words marked that the other side does not have. */
function wordsOf(words: Extract<Difference, { type: "text" }>["words"], side: "removed" | "added"): Html {
  return html`${words
    .filter(({ as }) => as === "same" || as === side)
    .map(({ as, text }) => (as === "same" ? lines(text) : html`<mark>${lines(text)}</mark>`))}`;
}

function itemsOf(items: readonly string[], mark: (item: string) => Html): Html | null {
  if (items.length === 0) return null;
  return html`${[...items.slice(0, MOST_ITEMS), ...moreOf(items.length - MOST_ITEMS)].map(mark)}`;
}

function countsOf(difference: Difference): string {
  if (difference.type !== "set") return "";
  if (difference.kept === null) return "before: not seen";
  return difference.kept === 0 ? "" : `${difference.kept} unchanged`;
}
