import fc from "fast-check";
import { expect, it } from "vitest";
import { checkConfig } from "../../../src/cli/settings/configCheck.js";
import { projectFileFrom, shorten } from "../../../src/cli/settings/projectFile.js";
import { isObject } from "../../../src/model/json.js";
import { cases } from "../../fakes/cases.js";

const NAMES = ["a", "b", "c", "d", "e1", "null", "on", "x-y", "7", '"a"'];
const LINES = [
  "    server: https://a.example\n",
  "    server: https://b.example.\n",
  "    server: https://c.example # said\n",
  "    server: 'https://d.example'\n",
  "    server: &one https://e.example\n",
  "    server: *one\n",
  "    server: https://f.example\r\n",
  "    server:\n      https://g.example\n",
  "    state: git:#refs/heads/one\n",
  "    state: s3://bucket/key\n",
  "    state: .remit/one/state.json\n",
  "    state: |\n      a/b.json\n",
  "    state: ./a\n      /b\n",
  "    state: .5/\n",
  "    state: [x,\n",
  "    state: {\n",
  '    state: "a\n',
  "    <<: *one\n",
  "    concurrency: 3\n",
  "    mistaken: 1\n",
  "    ]\n",
  '   b"\n',
  "\tserver: https://a.example\n",
  "\n",
  "  # a comment\n",
  "# a comment \u0007\n",
];
const BEFORE = [
  "",
  "\uFEFF",
  "project: p\n",
  "server: |\n",
  'project: "p\n',
  "--- |\n",
  "x: &one { server: sandbox }\n",
];
const AFTER = ["", "project: q\n", "contexts:\n  z: {}\n", "---\n", "...\n", '"\n', "  ]\n", "  }\n"];

/** Mostly plain contexts, some of another form between them. */
const context = fc.oneof(
  { weight: 6, arbitrary: fc.constant("    server: https://a.example\n    state: .remit/a/state.json\n") },
  fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 2 }).map((lines) => lines.join("")),
);
/** Contexts one below the other. Where `isWild`, some have an odd name or stand further to the left or right. */
const contextsOf = (isWild: boolean) =>
  fc
    .array(fc.tuple(fc.constantFrom("  ", "  ", "   ", " "), fc.nat({ max: 40 }), context), {
      minLength: 4,
      maxLength: 12,
    })
    .map((all) =>
      all
        .map(
          ([indent, at, lines], place) =>
            `${isWild ? indent : "  "}${isWild ? (NAMES[at] ?? `t${place}`) : `t${place}`}:\n${lines}`,
        )
        .join(""),
    );
const wild = fc.tuple(fc.constantFrom(...BEFORE), contextsOf(true), fc.constantFrom(...AFTER));
const tame = fc.tuple(fc.constantFrom("", "project: p\n"), contextsOf(false), fc.constantFrom("", ...AFTER));
const file = fc.oneof(wild, tame).map(([before, all, after]) => `${before}contexts:\n${all}${after}`);

/** What is read of a text, and every place in it. */
function readingOf(text: string, worth?: number) {
  const read = projectFileFrom({ file: "remit.yaml", text, named: true }, checkConfig, worth);
  const { value, diagnostics } = read;
  const settings = isObject(value?.value.contexts) ? Object.entries(value.value.contexts) : [];
  const paths = settings.flatMap(([name, own]) => [
    ["contexts", name],
    ...Object.keys(isObject(own) ? own : {}).map((key) => ["contexts", name, key]),
  ]);
  const places = [[], ["contexts"], ...paths.reverse()].map((path) => value?.placeOf(path));
  return { text: JSON.stringify(value?.value), diagnostics, places };
}

it("a shortened file has the value, the places and the faults of the whole one", () => {
  let shortened = 0;
  fc.assert(
    fc.property(file, (text) => {
      const whole = readingOf(text);
      if (shorten(text, null, 1) !== null && whole.diagnostics.length === 0) shortened += 1;
      expect(readingOf(text, 1)).toEqual(whole);
    }),
    { numRuns: cases(400) },
  );
  expect(shortened).toBeGreaterThan(20);
});
