import { moreOf } from "../../../words/more.js";
import { type StatedObject, type Statement, sentencesOf } from "../../statement.js";
import type { Piece } from "../../text/budget.js";
import { code, fence, placeLink, prose } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import { tameLine } from "../../text/visible.js";

/** Statements as items of a list in Markdown, each with at most so many of its objects. */
export function itemsOf(statements: readonly Statement[], most?: number): readonly string[] {
  return statements.flatMap((one) =>
    sentencesOf(one, most).map((text) => `- ${one.severity === "note" ? "" : "⚠ "}${prose(text)}`),
  );
}

/** Statements that a reader must not miss, as sentences that stand alone. */
export function loudOf(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap((one) => sentencesOf(one).map((text) => `**${prose(text)}**`));
}

/** An object of a statement that has a section: it may have no room, and is then counted. */
export interface ObjectPiece extends Piece {
  readonly part: "object";
  readonly of: Statement;
}

/** The objects of all statements with a section. No number of steps takes the room of a setting. */
export function objectPieces(
  statements: readonly Statement[],
  linkBase: string | null,
): readonly ObjectPiece[] {
  return statements.flatMap((of) =>
    of.objects.map((object) => {
      const rank = of.rank === "before" ? -1 : 4;
      return { part: "object", rank, isInOrder: true, text: objectOf(object, linkBase), of } as const;
    }),
  );
}

/** The sections of a rank with the objects that are kept, and how many are not; what follows the steps is folded. */
export function sectionsOf(
  statements: readonly Statement[],
  kept: readonly ObjectPiece[],
): readonly string[] {
  return statements.map((one) => {
    const own = kept.filter(({ of }) => of === one).map(({ text }) => text);
    const more = one.objects.length === 0 ? [] : moreOf(one.count - own.length);
    const items = [...own, ...more.map((text) => `- ${text}`)].join("\n");
    const head = prose(one.text);
    if (one.rank === "before" || items === "")
      return [`**${head}**`, ...(items === "" ? [] : [items])].join("\n\n");
    return `<details><summary>${head}</summary>\n\n${items}\n\n</details>`;
  });
}

const LONGEST = 2_000;

/** An item of a list, or a fold where the object has content. */
function objectOf({ text, place, aside, lines }: StatedObject, linkBase: string | null): string {
  const said = clipped(text, LONGEST);
  if (lines.length > 0) {
    const content = fence(lines.map(tameLine), "yaml");
    return [`\n<details><summary>${code(said)}</summary>`, code(aside), content, "</details>\n"].join("\n\n");
  }
  if (place === null) return `- ${prose(said)}${aside === "" ? "" : ` · ${code(aside)}`}`;
  return `- ${prose(said)} · ${placeLink(place, linkBase)}`;
}
