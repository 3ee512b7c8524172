import { describe, expect, test } from "vitest";
import { formatText } from "../../../src/manifest/format/formatText.js";

function format(text: string) {
  return formatText({ file: "a.yaml", text, named: true });
}

/** Documents as they are written in a test, without their margin. */
function yaml([text = ""]: TemplateStringsArray): string {
  const lines = text.replace(/^\n/, "").replace(/ *$/, "").split("\n");
  const margin = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.map((line) => line.slice(margin)).join("\n");
}

describe("a layout", () => {
  const cases: readonly (readonly [says: string, before: string, after: string])[] = [
    [
      "indents by two spaces, lists too",
      yaml`
        spec:
            list:
            - a
            -   b: 1
                c: 2
      `,
      yaml`
        spec:
          list:
            - a
            - b: 1
              c: 2
      `,
    ],
    [
      "puts the fields of a manifest in order, their comments with them",
      yaml`
        # yaml-language-server: $schema=x

        spec: {}
        # what it is
        kind: X # beside
        metadata:
          # why it has labels
          labels: {}
          annotations: {}
          # what it is called
          name: x
        apiVersion: remit/v1
      `,
      yaml`
        # yaml-language-server: $schema=x

        apiVersion: remit/v1
        # what it is
        kind: X # beside
        metadata:
          # what it is called
          name: x
          # why it has labels
          labels: {}
          annotations: {}
        spec: {}
      `,
    ],
    [
      "leaves the order of what is no manifest, of lists, labels and unknown fields",
      yaml`
        ---
        z: 1
        a: 2
        ---
        apiVersion: remit/v1
        zeta: 1
        alpha: 2
        metadata:
          labels: { z: b, a: c }
        list: [b, a]
      `,
      yaml`
        ---
        z: 1
        a: 2
        ---
        apiVersion: remit/v1
        metadata:
          labels: { z: b, a: c }
        zeta: 1
        alpha: 2
        list: [b, a]
      `,
    ],
    [
      "takes quotes from texts that are texts without them, and from no others",
      yaml`
        a: "plain words"
        b: 'subject.department == "x"'
        c: "0123"
        d: 'yes'
        e: "2024-01-01"
        f: 'null'
        g: "1_000"
        h: ["a, b", 'c']
        i: 'it: is'
        j: ""
        k: 'back\slash: "'
        l: "12:30:00"
        "m": 'it''s: so'
        "1": 0123
      `,
      yaml`
        a: plain words
        b: subject.department == "x"
        c: "0123"
        d: "yes"
        e: "2024-01-01"
        f: "null"
        g: "1_000"
        h: ["a, b", c]
        i: "it: is"
        j: ""
        k: 'back\slash: "'
        l: "12:30:00"
        m: "it's: so"
        "1": 0123
      `,
    ],
    [
      "keeps short `{}` and `[]` and makes blocks of long ones and of those with comments",
      yaml`
        short: {a: [1,2], "b" : {}}
        long: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]
        told: { a: 1, # one
          # two
          b: 2
          # three
        }
      `,
      yaml`
        short: { a: [1, 2], b: {} }
        long:
          - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
          - bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        told:
          a: 1 # one
          # two
          b: 2
          # three
      `,
    ],
    [
      "keeps block texts letter by letter, their lines and their headers",
      yaml`
        a: >-   # why
            folded
              more

            text
        b: |2
              indented
            text
        c: |+
          kept


        d: end
      `,
      yaml`
        a: >- # why
          folded
            more

          text
        b: |2
              indented
            text
        c: |+
          kept


        d: end
      `,
    ],
    [
      "keeps each comment with what it speaks of",
      yaml`
        a: # beside a
          # above b
          b: 1
          # after b, inside a

        # above c

        c:
          # inside c
        d:
          # above e's text
          e:
            # above the text
            text # beside the text
        # at the end
      `,
      yaml`
        a: # beside a
          # above b
          b: 1
          # after b, inside a

        # above c

        c:
          # inside c
        d:
          # above e's text
          # above the text
          e: text # beside the text
        # at the end
      `,
    ],
    [
      "keeps documents, their markers, and what stands between them",
      yaml`
        %YAML 1.2
        # first
        --- # marked
        a: 1
        ... # ended
        # between
        ---

        # only a comment
        ---
        b: 2
      `,
      yaml`
        %YAML 1.2
        # first
        --- # marked
        a: 1
        ... # ended
        # between
        ---
        # only a comment
        ---
        b: 2
      `,
    ],
    [
      "keeps anchors, aliases, merge keys and tags",
      yaml`
        base: &base   # shared
            a: !!str 1
        list: [ *base, &x y, *x ]
        more:
            <<: *base
            b: *x
      `,
      yaml`
        base: &base # shared
          a: !!str 1
        list: [*base, &x y, *x]
        more:
          <<: *base
          b: *x
      `,
    ],
    [
      "puts no alias before its anchor, even where that leaves fields out of order",
      yaml`
        spec: { a: &a x }
        metadata: { name: *a }
        kind: X
        apiVersion: remit/v1
      `,
      yaml`
        spec: { a: &a x }
        metadata: { name: *a }
        kind: X
        apiVersion: remit/v1
      `,
    ],
    [
      "puts what stands above the first field of an item above the item",
      yaml`
        list:
          -
            # of a
            a: 1
          - # of the item
            b: 2
          - - # inside
              - # deep
                c
      `,
      yaml`
        list:
          # of a
          - a: 1
          - # of the item
            b: 2
          - - # inside
              - c # deep
      `,
    ],
    [
      "keeps a comment inside the mapping whose first name has an anchor",
      "a:\n    &x b: 1\n    # of a\nc: 1\n",
      "a:\n  &x b: 1\n  # of a\nc: 1\n",
    ],
    ["keeps one blank line of several", "a: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"],
    [
      "ends each line with a line feed and drops a byte order mark",
      "\ufeffa: 1\r\nb: |\r\n  x\r\n",
      "a: 1\nb: |\n  x\n",
    ],
    ["ends a file with a line break", "a: 1", "a: 1\n"],
    ["of nothing is nothing", "\n \n", ""],
    ["of comments is the comments", "\n# a\n\n\n  # b", "# a\n\n# b\n"],
  ];

  test.each(cases)("%s", (_says, before, after) => {
    expect(format(before)).toEqual({ value: after, diagnostics: [] });
    expect(format(after)).toEqual({ value: after, diagnostics: [] });
  });
});

describe("a text is left as it is, with a diagnostic, when it", () => {
  const cases: readonly (readonly [what: string, text: string, code: string])[] = [
    ["is not YAML", "a: [1\nb: 2\n", "yaml/syntax"],
    ["has a tag that no manifest knows", "a:   !x y\n", "yaml/tag"],
    ["has a name twice", "a: 1\na: 2\n", "yaml/duplicate-name"],
    ["has no anchor for an alias", "a:   *x\n", "yaml/alias"],
    ["has a carriage return without a line feed", "a:   1\rb: 2\n", "yaml/carriage-return"],
    ["has a carriage return before a line's end", "a:   1\r\r\nb: 2\n", "yaml/carriage-return"],
    ["has one after a byte order mark", "\ufeffa:   1\r\r\n", "yaml/carriage-return"],
    ["is one scalar", "just   words\n", "format/left-alone"],
    ["has a name of several lines", '? "a\n\n  b"\n:   1\n', "format/left-alone"],
  ];

  test.each(cases)("%s", (_what, text, code) => {
    const { value, diagnostics } = format(text);
    expect(value).toBe(text);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });
});
