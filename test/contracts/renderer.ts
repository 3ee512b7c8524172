import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cases } from "../fakes/cases.js";

/** What a value may contain that a viewer could obey, or a reader could mistake for the report's own words. */
export const HOSTILE: readonly string[] = [
  "<script>alert(1)</script>",
  "</details></summary><img src=x onerror=alert(1)>",
  "--> out of the comment <!--",
  "a | b | c |",
  "`code` and ```fence``` and ~~~~",
  "```\n</details>\n# heading",
  "\u001b[31mred\u001b]8;;http://x\u0007link\u009b2J",
  "one\ntwo\r\n::error::three\r::warning::four",
  "::error file=x,line=1::forged",
  "  ::error::after blanks",
  "::error::first\n::error::second\nthird",
  "\n::error::an empty line before",
  "::error file=x::forged, and as long as a line that stands alone",
  `${"word ".repeat(9)}::error::after a wrap ::set-output name=x::y`,
  "##[error]forged ##vso[task.complete] ##teamcity[buildStop]",
  "ends as a command begins ##",
  "\u202egnitirw\u2066 \u200bhidden\u00ad \u{e0041}",
  "nul\0 and \u0085 and \u2028 and a lone \ud800 half",
  "[click](http://evil.example) ![x](http://evil.example/x.png) https://evil.example www.evil.example",
  "@everyone #1 owner/repo#2 :smile: $x$ **bold** _it_ \\| &lt;b&gt; &#124;",
  "__proto__",
  "+ forged\n- forged\n! forged\n@@ forged @@",
  "漢字かな交じり文のとても長い値".repeat(8),
  "👩‍👩‍👧‍👦é̂".repeat(30),
  "\u{1d157}\u{1d165} ".repeat(20),
  "x".repeat(400),
];

/** How a text that is rendered is judged. */
export type Format = "terminal" | "log" | "markdown" | "json";

/** What every renderer keeps: a report whose every text is hostile keeps its own structure. */
export function rendererContract(
  name: string,
  format: Format,
  render: (text: string, columns: number) => string,
): void {
  describe(`${name} of hostile text`, () => {
    const holds = (judge: (face: string, text: string, columns: number) => void) =>
      fc.assert(
        fc.property(anyText, fc.integer({ min: 30, max: 140 }), (text, columns) => {
          judge(render(text, columns), text, columns);
        }),
        { numRuns: cases(20), examples: HOSTILE.map((text): [string, number] => [text, 80]) },
      );

    it("holds nothing that a terminal would obey or a reader would not see", () => {
      holds((face) => expect(face).not.toMatch(OBEYED));
    });

    it("holds no line that a pipeline would obey", () => {
      holds((face) => {
        expect(face.split("\n").filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
        expect(face.match(/^.*##\w*\[.*$/gm)).toBeNull();
      });
    });

    if (format === "terminal") {
      it("has its own lines at the edge, and no others", () => {
        const own = (face: string) => face.split("\n").filter((line) => /^[+~=!-] [a-z]/.test(line)).length;
        holds((face) => expect(own(face)).toBe(own(render("tame", 80))));
      });

      it("is nowhere wider than the terminal", () => {
        holds((face, _text, columns) => {
          const wide = face.split("\n").filter((line) => stringWidth(line) > columns);
          // A web address or a path stays whole, so that a reader can copy it.
          expect(wide.filter((line) => !/https?:\/\/|[\w.-]\/[\w.-]/.test(line))).toEqual([]);
        });
      });
    }

    if (format === "markdown") {
      it("has its own elements, cells and blocks, and no others", () => {
        const own = skeleton(render("tame", 80));
        holds((face) => expect(skeleton(face)).toEqual(own));
      });
    }

    if (format === "json") {
      it("is JSON that holds the value as it was", () => {
        holds((face, text) => {
          const values = new Set<unknown>();
          JSON.parse(face, (_name, value) => {
            values.add(value);
            return value;
          });
          expect([...values].some((value) => typeof value === "string" && value.includes(text))).toBe(true);
        });
      });
    }
  });
}

export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(...HOSTILE)).map((two) => two.join("")),
  fc.string({ unit: "binary", minLength: 1 }),
  fc.string({ unit: "grapheme", minLength: 1 }),
);

// Every control but the line break, what reorders or hides text, and halves of pairs.
const OBEYED =
  /(?!\n)\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

const OWN_TAGS = /<(?:!-- remit:(?:plan|apply) --|\/?details|\/?summary|\/?code|\/?span|br)>/g;

/** What a reader of Markdown treats as structure, in order; blocks are read whole. */
function skeleton(markdown: string): readonly string[] {
  const parts: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const bar = /^(`{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (line.startsWith(fence) && /^`+$/.test(line)) fence = null;
      continue;
    }
    if (bar !== null) {
      fence = bar[1] ?? "";
      parts.push("fence");
      continue;
    }
    const tags = (line.match(OWN_TAGS) ?? []).filter((tag) => !/span|code/.test(tag));
    const rest = line
      .replace(OWN_TAGS, "")
      .replace(/\*\*/g, "")
      .replace(/\]\(\S+\)/g, "");
    const marks = rest.match(/[<>`~_*$@]|\[|\]|(?<!&)#/g) ?? [];
    if (line.startsWith("|")) parts.push(`row ${line.split("|").length - 1}`);
    parts.push(...tags, ...marks);
  }
  return [...parts, fence === null ? "whole" : "open"];
}
