import fc from "fast-check";

/** A YAML text written by no one in particular: odd indentation, quotes, comments and blank lines anywhere legal. */
export interface Written {
  readonly text: string;
  /** How many comments are in it; they are `#c0`, `#c1` and so on. */
  readonly comments: number;
}

/** A value and how it is written. */
export type Tree =
  | { readonly is: "scalar"; readonly text: string }
  | { readonly is: "lines"; readonly header: string; readonly lines: readonly string[] }
  | { readonly is: "map"; readonly flow: boolean; readonly pairs: readonly (readonly [string, Tree])[] }
  | { readonly is: "list"; readonly flow: boolean; readonly items: readonly Tree[] };

const SCALARS = [
  ...[
    "plain",
    "two words",
    "2fsgTvxP0DVTsNXEUBI7hOe0l5A",
    "0123",
    "12",
    "1e3",
    "true",
    "yes",
    "null",
    "~",
    "2024-01-01",
  ],
  ...[
    '"0123"',
    "'yes'",
    '"null"',
    "'a, b'",
    '"it: #5"',
    "'it''s'",
    '"tab\\tnew\\nline"',
    '""',
    "'\"'",
    '"<<"',
    '"a b"',
  ],
  ...[
    'subject.department == "x"',
    "90d",
    "'[x]'",
    '"*x"',
    "漢字",
    "'🙂 ok'",
    "!!str 12",

    '"\\u202e"',
    "-1",
    "a:b",
  ],
];
const NAMES = [
  "spec",
  "scope",
  "displayName",
  "appId",
  "appEntitlementId",
  "entitlements",
  "description",
  "z",
  "a b",
  '"<<"',
  '"no"',
  "cel",
];

const scalar = fc.constantFrom(...SCALARS).map((text): Tree => ({ is: "scalar", text }));
const lines: fc.Arbitrary<Tree> = fc.record({
  is: fc.constant("lines" as const),
  header: fc.constantFrom("|", "|-", "|+", ">", ">-", ">+"),
  lines: fc.array(fc.constantFrom("text", "  indented", "# no comment", "", "a: b", "trailing  ", "- x"), {
    maxLength: 4,
  }),
});

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    lines,
    fc.record({
      is: fc.constant("map" as const),
      flow: fc.boolean(),
      pairs: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie("tree")), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
    }),
    fc.record({
      is: fc.constant("list" as const),
      flow: fc.boolean(),
      items: fc.array(tie("tree"), { maxLength: 4 }),
    }),
  ),
}));

const manifest = fc
  .record({
    spec: tree,
    labels: tree,
    shuffled: fc.shuffledSubarray(["apiVersion", "kind", "metadata", "spec"], { minLength: 4 }),
  })
  .map(({ spec, labels, shuffled }): Tree => {
    const values: Readonly<Record<string, Tree>> = {
      apiVersion: { is: "scalar", text: "remit/v1" },
      kind: { is: "scalar", text: "EntitlementAutomation" },
      metadata: {
        is: "map",
        flow: false,
        pairs: [
          ["labels", labels],
          ["name", { is: "scalar", text: "'x'" }],
        ],
      },
      spec,
    };
    return {
      is: "map",
      flow: false,
      pairs: shuffled.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const])),
    };
  });

/** Streams of one to three manifests. */
export const anyManifest: fc.Arbitrary<Written> = fc
  .record({
    documents: fc.array(manifest, { minLength: 1, maxLength: 3 }),
    choices: fc.infiniteStream(fc.nat(99)),
    newline: fc.constantFrom("\n", "\r\n"),
    mark: fc.boolean(),
  })
  .map(({ documents, choices, newline, mark }) => {
    const pen = new Pen(choices);
    documents.forEach((document, index) => {
      if (index > 0 || pen.chance(30)) pen.marker();
      pen.write(document);
      if (pen.chance(10)) pen.line("...");
    });
    pen.around(0);
    return { text: `${mark ? "\ufeff" : ""}${pen.text.replaceAll("\n", newline)}`, comments: pen.comments };
  });

/** Writes trees down in any of the ways that mean the same. */
export class Pen {
  text = "";
  comments = 0;
  readonly #choices: Iterator<number>;

  constructor(choices: Iterable<number>) {
    this.#choices = choices[Symbol.iterator]();
  }

  chance(percent: number): boolean {
    return this.#choices.next().value < percent;
  }

  line(text: string): void {
    this.text += `${text}\n`;
  }

  marker(): void {
    this.line(`---${this.#beside()}`);
  }

  write(tree: Tree): void {
    if (tree.is === "map") this.#pairs(tree.pairs, 0);
  }

  /** Perhaps comments and blank lines, no deeper than they may stand. */
  around(indent: number): void {
    while (this.chance(15)) {
      if (this.chance(40)) this.line(this.chance(20) ? " " : "");
      else
        this.line(
          " ".repeat(this.chance(70) ? indent : indent + 1 + (this.chance(50) ? 2 : 0)) + this.#comment(),
        );
    }
  }

  #comment(): string {
    this.comments += 1;
    return `#c${this.comments - 1}${this.chance(20) ? " :: - [x" : ""}`;
  }

  #beside(): string {
    return this.chance(15) ? `${this.chance(50) ? " " : "   "}${this.#comment()}` : "";
  }

  #pairs(pairs: readonly (readonly [string, Tree])[], indent: number): void {
    for (const [name, value] of pairs) {
      this.around(indent);
      this.text += " ".repeat(indent);
      this.#pair(name, value, indent);
    }
  }

  #pair(name: string, value: Tree, indent: number): void {
    this.text += `${name}:`;
    this.#value(
      value,
      indent,
      value.is === "list" && !value.flow && this.chance(50) ? 0 : this.chance(70) ? 2 : 4,
    );
  }

  #value(value: Tree, indent: number, step: number): void {
    if (value.is === "scalar") this.#scalar(value.text, indent);
    else if (value.is === "lines") this.#lines(value, indent);
    else if (value.flow || (value.is === "map" ? value.pairs : value.items).length === 0) {
      this.line(` ${this.#flow(value, indent + 2)}${this.#beside()}`);
    } else {
      this.line(this.#beside());
      if (value.is === "map") this.#pairs(value.pairs, indent + Math.max(2, step));
      else this.#items(value.items, indent + step);
    }
  }

  #lines({ header, lines }: Tree & { readonly is: "lines" }, indent: number): void {
    const margin = " ".repeat(indent + 2);
    // What begins with spaces or blank lines of its own would need an indentation number.
    const first = lines.findIndex((line) => line !== "" && !line.startsWith(" "));
    const body = first === -1 ? [] : lines.slice(first);
    this.line(
      [` ${header}${this.#beside()}`, ...body.map((line) => (line === "" ? "" : margin + line))].join("\n"),
    );
  }

  #items(items: readonly Tree[], indent: number): void {
    for (const item of items) {
      this.around(indent);
      this.text += `${" ".repeat(indent)}-`;
      const [first, ...rest] = item.is === "map" && !item.flow ? item.pairs : [];
      if (first === undefined || this.chance(20)) this.#value(item, indent, 2);
      else {
        this.text += " ";
        this.#pair(first[0], first[1], indent + 2);
        this.#pairs(rest, indent + 2);
      }
    }
  }

  #scalar(text: string, indent: number): void {
    if (this.chance(8))
      this.text += `${this.#beside()}\n${this.chance(30) ? `${" ".repeat(indent + 3)}${this.#comment()}\n` : ""}${" ".repeat(indent + 2)}`;
    else this.text += " ";
    const folded = text === "two words" && this.chance(50) ? text.replace(" ", "\n") : text;
    this.line(`${below(folded, indent)}${this.#beside()}`);
  }

  #flow(tree: Tree, indent: number): string {
    if (tree.is === "scalar")
      return tree.text === "'a, b'" || !/[,[\]{}]/.test(tree.text) ? below(tree.text, indent) : `"${"q"}"`;
    if (tree.is === "lines") return "[]";
    const parts =
      tree.is === "map"
        ? tree.pairs.map(([name, value]) => `${name}: ${this.#flow(value, indent)}`)
        : tree.items.map((item) => this.#flow(item, indent));
    const spread = this.chance(25);
    const gap = () => {
      if (!spread) return this.chance(50) ? " " : "";
      const above = this.chance(15) ? `\n${" ".repeat(indent)}${this.#comment()}` : "";
      return `${this.#beside()}${above}\n${this.chance(10) ? "\n" : ""}${" ".repeat(indent)}`;
    };
    const [open, shut] = tree.is === "map" ? ["{", "}"] : ["[", "]"];
    return `${open}${parts.map((part) => `${gap()}${part}`).join(",")}${gap()}${shut}`;
  }
}

/** A text of several lines, whose further ones stand deeper than what they belong to. */
function below(text: string, indent: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(indent + 2)}`);
}
