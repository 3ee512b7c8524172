import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareWords, markWords } from "../../../src/report/text/changedWords.js";
import { plain } from "../../../src/report/text/paint.js";

const marked = (before: string, after: string) =>
  markWords(compareWords(before, after) ?? [], plain).map(({ text }) => text);

describe("texts compared word by word", () => {
  it.each<[string, string, string, readonly string[]]>([
    ["a changed word", "subject.level > 3", "subject.level > 4", ["subject.level > [-3-]{+4+}"]],
    ["a word that comes", "for all", "for all staff", ["for all{+ staff+}"]],
    ["a line that goes", "one\ntwo\nthree", "one\nthree", ["one", "[-two⏎-]", "three"]],
    ["lines far from a change", "a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\ng", ["…", "e", "[-f-]{+g+}"]],
  ])("mark %s", (_what, before, after, lines) => {
    expect(marked(before, after)).toEqual(lines);
  });

  it("are two values where they have too little in common", () => {
    expect(compareWords("everyone in engineering", "nobody at all, ever")).toBeNull();
  });

  it("are two values where they are very long", () => {
    expect(compareWords("word ".repeat(5000), "word ".repeat(5001))).toBeNull();
  });

  it("hold both texts whole", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "==", " ", "\n", "é", "("))
      .map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const words = compareWords(before, after);
        const without = (as: string) =>
          words?.flatMap((word) => (word.as === as ? [] : [word.text])).join("");
        expect(words === null ? before : without("added")).toBe(before);
        expect(words === null ? after : without("removed")).toBe(after);
      }),
    );
  });
});
