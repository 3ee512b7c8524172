import type { Paint } from "../findings/paint.js";
import { visible } from "../findings/visible.js";
import { wrap } from "../layout.js";
import type { Word } from "../report.js";

interface Line {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A text with its changed words marked as `[-old-]{+new+}`; lines far from any change are left out. */
export function showWords(
  words: readonly Word[],
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
  indent: string,
): readonly string[] {
  const lines = linesFrom(words, paint);
  const isNear = (at: number) => [at - 1, at, at + 1].some((place) => lines[place]?.isChanged === true);
  return lines.flatMap(({ text }, at) => {
    if (isNear(at)) return wrap(text, columns, indent);
    return at === 0 || isNear(at - 1) ? [`${indent}${paint("frame", "…")}`] : [];
  });
}

function linesFrom(words: readonly Word[], paint: Paint): readonly Line[] {
  const lines: Line[] = [];
  let text = "";
  let isChanged = false;
  for (const word of words) {
    for (const [place, part] of word.text.split("\n").entries()) {
      if (place > 0) {
        lines.push({ text, isChanged });
        text = "";
        isChanged = false;
      }
      const isBroken = word.as !== "same" && place < word.text.split("\n").length - 1;
      text += mark(word.as, `${visible(part)}${isBroken ? "⏎" : ""}`, paint);
      isChanged ||= word.as !== "same" && (part !== "" || isBroken);
    }
  }
  return [...lines, { text, isChanged }];
}

function mark(as: Word["as"], text: string, paint: Paint): string {
  if (as === "same" || text === "") return text;
  return as === "added" ? paint("added", `{+${text}+}`) : paint("removed", `[-${text}-]`);
}
