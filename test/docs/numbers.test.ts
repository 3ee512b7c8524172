import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** A number in the source: a file, and the name before it. */
type Source = readonly [file: string, name: string, unit?: number];

const SECOND = 1_000;
const MINUTE = 60_000;
const MIB = 1024 * 1024;

/** What documents say with a number that the source has; `#` stands for the number. */
const SAID: readonly (readonly [document: string, sentence: string, ...source: Source])[] = [
  [
    "docs/automation.md",
    "at most `guards.acknowledgeDays` (#) days",
    "src/plan/guards/settings.ts",
    "acknowledgeDays",
  ],
  ["docs/drift.md", "Text shows # of a kind", "src/report/forms/terminal/plan.ts", "MOST"],
  ["docs/drift.md", "The first # of a kind have names", "src/commands/plan/unmanaged.ts", "MOST_LOOKED_UP"],
  ["docs/formats.md", "#) and says what was left out", "src/forge/forge.ts", "comment"],
  ["docs/formats.md", "up to its limit of # MiB", "src/cli/print/stepSummary.ts", "MOST", MIB],
  ["docs/formats.md", "at most # MB", "src/report/forms/html/plan.ts", "MOST_BYTES", 1_000_000],
  ["docs/people.md", "yes, up to # for each step", "src/report/plan/words/people.ts", "MOST_NAMED"],
  ["docs/people.md", "in JSON up to # for each number", "src/plan/people/impact.ts", "MOST_NAMED"],
  ["docs/people.md", "up to # pages of members", "src/people/editedRules.ts", "MOST_PAGES"],
  ["docs/people.md", "after # seconds", "src/impact/pairs.ts", "DEADLINE", SECOND],
  [
    "docs/people.md",
    "changesFloor` people (# without a setting)",
    "src/plan/guards/settings.ts",
    "changesFloor",
  ],
  ["docs/people.md", "for more than # % of all users", "src/plan/guards/share.ts", "EVERYONE"],
  ["docs/pull-requests.md", "A comment holds # characters", "src/forge/forge.ts", "comment"],
  ["docs/pull-requests.md", "within # characters", "src/forge/forge.ts", "description"],
  ["docs/pull-requests.md", "or end within # days", "src/report/view/night.ts", "DAYS"],
  ["docs/security.md", "bytes of one reply, inflated | # MiB", "src/tenant/client/pages.ts", "reply", MIB],
  ["docs/security.md", "ends at # MiB", "src/tenant/client/pages.ts", "reply", MIB],
  ["docs/security.md", "rows and pages of a list | # and", "src/tenant/client/pages.ts", "rows"],
  ["docs/security.md", "and # | `reads.rows`", "src/tenant/client/pages.ts", "pages"],
  ["docs/security.md", "# empty pages in a row", "src/tenant/client/pages.ts", "EMPTY_PAGES"],
  ["docs/security.md", "time of a whole list | # minutes", "src/tenant/client/pages.ts", "time", MINUTE],
  [
    "docs/security.md",
    "a quoted text of the service | # characters",
    "src/tenant/client/reply.ts",
    "LONGEST_QUOTE",
  ],
  [
    "docs/security.md",
    "a text in the output for readers | # characters",
    "src/report/text/visible.ts",
    "LONGEST",
  ],
  ["docs/security.md", "levels of JSON and of YAML from outside | #", "src/model/json.ts", "DEEPEST"],
  [
    "docs/security.md",
    "levels of JSON and of YAML from outside | #",
    "src/manifest/parse/parse.ts",
    "DEEPEST",
  ],
  ["docs/security.md", "of 200,000 | # s of the processor", "test/fuzz/fuzz.test.ts", "LONGEST", SECOND],
  ["docs/security.md", "# MiB of growth in all", "test/fuzz/fuzz.test.ts", "LARGEST_GROWTH", MIB],
  ["docs/stores.md", "a file that its holder touches every # s", "src/state/lock.ts", "BEAT", SECOND],
  ["docs/stores.md", "after # s of silence on another", "src/state/lock.ts", "SILENCE", SECOND],
  ["docs/stores.md", "a second ref, renewed every # s", "src/state/git/cadence.ts", "beat", SECOND],
  [
    "docs/stores.md",
    "a lease of # s by the taker's own clock           |",
    "src/state/git/cadence.ts",
    "lease",
    SECOND,
  ],
  ["docs/stores.md", "one each # s; one each", "src/state/git/cadence.ts", "push", SECOND],
  ["docs/stores.md", "one each # s when it is quiet", "src/state/git/cadence.ts", "beat", SECOND],
  [
    "docs/stores.md",
    "six at once, then one each # s, and says so",
    "src/state/git/cadence.ts",
    "push",
    SECOND,
  ],
  ["docs/stores.md", "a small object, renewed every # s", "src/state/s3/s3.ts", "BEAT", SECOND],
  [
    "docs/stores.md",
    "a small object, renewed every 5 s; a lease of # s",
    "src/state/s3/s3.ts",
    "LEASE",
    SECOND,
  ],
  ["docs/stores.md", "the head has no room (more than # kB", "src/state/holder.ts", "INLINE", 1_000],
  ["docs/stores.md", "one more for each # kB of lines", "src/state/holder.ts", "INLINE", 1_000],
  ["docs/stores.md", "two for each save, one every # s", "src/state/s3/s3.ts", "BEAT", SECOND],
  ["docs/stores.md", "a row, renewed every # s", "src/state/postgres/postgres.ts", "BEAT", SECOND],
  [
    "docs/stores.md",
    "a row, renewed every 5 s; a lease of # s",
    "src/state/postgres/postgres.ts",
    "LEASE",
    SECOND,
  ],
  ["docs/stores.md", "a second; one every # s", "src/state/postgres/postgres.ts", "BEAT", SECOND],
  ["docs/stores.md", "for each batch, at most one every # s", "src/state/http/http.ts", "PACE", SECOND],
  ["docs/stores.md", "the intents of up to # steps in one write", "src/state/git/store.ts", "ahead"],
  ["docs/stores.md", "The intents of up to # steps", "src/state/git/store.ts", "ahead"],
  ["docs/stores.md", "Snapshots are pushed every # minutes", "src/state/git/store.ts", "saves", MINUTE],
  ["docs/stores.md", "in pieces of at most # MB", "src/state/git/document.ts", "PIECE", 1_000_000],
  ["docs/stores.md", "one is sent every # s", "src/state/http/http.ts", "PACE", SECOND],
  ["docs/stores.md", "a state of more than # MB is refused", "src/state/http/http.ts", "LARGEST", 1_000_000],
  ["docs/stores.md", "A holder asks every # s", "src/state/http/http.ts", "BEAT", SECOND],
  ["docs/stores.md", "and # random bytes for each text", "src/state/encryption/key.ts", "SALT"],
];

/** What documents say with a number that a test or a generated text shows; the second text is in that file. */
const SHOWN: readonly (readonly [document: string, sentence: string, file: string, text: string])[] = [
  ["README.md", "a company of 1,830 people", "docs/questions.md", "1,830"],
  [
    "docs/pull-requests.md",
    "about 80 steps, it has the beginning of each hash, up to about 800 steps",
    "test/commands/review/reviewedSteps.test.ts",
    "range(10, 800)",
  ],
  ["docs/security.md", "An error message has 5 MB", "test/tenant/client/bounds.test.ts", "5_000_000"],
  [
    "docs/security.md",
    "an error of 5 MB is printed in 2.5 kB",
    "test/tenant/client/bounds.test.ts",
    "toBeLessThan(2_500)",
  ],
  ["docs/security.md", "A name has 400 kB", "test/report/longText.test.ts", "400_000"],
  ["docs/security.md", "a bomb of 256 MiB", "test/tenant/client/bounds.test.ts", "256"],
  [
    "docs/security.md",
    "10,000 levels are refused at once",
    "test/manifest/hostile.test.ts",
    "10,000 brackets",
  ],
  ["docs/stores.md", "a state of 50,000 rows is larger than GitLab takes", "test/contracts", ""],
];

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  ...[
    "automation",
    "doctor",
    "drift",
    "exit-codes",
    "formats",
    "get",
    "import",
    "install",
    "measured",
    "people",
  ].map(inDocs),
  ...["pull-requests", "releasing", "security", "stores"].map(inDocs),
];

function inDocs(name: string): string {
  return `docs/${name}.md`;
}

/** Numbers as documents spell them, each at its place. */
const WORDS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A number in words with what it counts; one and two are used as words, too. */
const IN_WORDS =
  /\b(?:three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty) (?:at once|pushes|seconds|minutes|days|hours|characters|steps|rows|pages|people|users|objects|calls|levels|tests|attempts|times|candidates)\b/g;

/** A number with what it counts, outside examples: a time, a size, a share, or how many of something. */
const QUANTITY =
  /\d(?:[\d,.]*\d)?\s?(?:s|ms|kB|MB|MiB|seconds?|minutes?|days?|hours?|%|characters|steps|rows|pages|people|users|objects|calls|levels|tests|words|random bytes|empty pages|a second|of a kind)(?![\w])/g;

/** The lines of a document outside its examples and the tables that a script writes. */
function proseOf(document: string): readonly string[] {
  let isExample = false;
  return read(document)
    .split("\n")
    .filter((line) => {
      if (line.startsWith("```")) isExample = !isExample;
      return !isExample && !line.includes("✓") && !/\| (within|\*\*missed)/.test(line);
    })
    .map((line) => line.replace(/`[^`]*\d[^`]*`/g, (code) => "`".repeat(code.length)));
}

/** The number of the source: `const NAME = 5_000`, or `name: 5 * 60_000`. */
function numberIn([file, name]: Source): number {
  const [, first = "", ...rest] =
    new RegExp(`\\b${name}(?:: \\w+)? ?[=:] ([\\d_]+)((?: \\* [\\d_]+)*)`).exec(read(file)) ?? [];
  const factors = [first, ...rest.join("").split(" * ")].filter((one) => one !== "");
  expect(factors, `${file}: ${name}`).not.toEqual([]);
  return factors.reduce((product, one) => product * Number(one.replaceAll("_", "")), 1);
}

/** What documents say that follows from two numbers of the source. */
function derived(): readonly (readonly [document: string, sentence: string])[] {
  const timeout = numberIn(["src/cli/settings/table.ts", "requestTimeout: row[^]*?fallback"]);
  const git = numberIn(["src/state/git/cadence.ts", "lease"]) + timeout;
  const bucket = numberIn(["src/state/s3/s3.ts", "LEASE"]) + timeout;
  const pace = SECOND / numberIn(["src/state/postgres/postgres.ts", "PACE"]);
  const burst = WORDS[numberIn(["src/state/git/cadence.ts", "burst"])];
  const patience = WORDS[numberIn(["src/apply/underLock.ts", "PATIENCE"]) / MINUTE];
  const { version, engines } = JSON.parse(read("package.json"));
  const node = engines.node.replace(/^>=(\d+\.\d+)\.0$/, "$1");
  return [
    ["docs/stores.md", `at least two: ${burst} at once, then`],
    [
      "docs/stores.md",
      `recommend at most ${burst} pushes per minute for one repository. remit makes ${burst} at once,`,
    ],
    ["docs/stores.md", `${patience} minutes after the last answer`],
    ["README.md", `You need Node ${node} or newer and git;`],
    ["docs/install.md", `npm, with Node ${node} or newer`],
    ["CONTRIBUTING.md", `You need Node ${node} or newer, and git.`],
    ["docs/install.md", `/v${version}/remit-${version}-linux-x64.tar.gz`],
    ["docs/install.md", `tar -xzf remit-${version}-linux-x64.tar.gz`],
    ["docs/install.md", `ghcr.io/remit-cli/remit:${version} plan`],
    ["docs/releasing.md", `--tag v${version} `],
    ["docs/releasing.md", `ghcr.io/remit-cli/remit:${version} plan`],
    ["docs/releasing.md", `git tag v${version} && git push origin v${version}`],
    ["docs/gitea.md", `remit-cli@${version}\n`],
    ["docs/pull-requests.md", `at the tag of the version (\`v${version}\`)`],
    ["docs/stores.md", `no push for the lease and one \`requestTimeout\` (${git / SECOND} s unless set)`],
    [
      "docs/stores.md",
      `no sign of life for the lease and one \`requestTimeout\` (${bucket / SECOND} s unless set)`,
    ],
    ["docs/stores.md", `at most ${pace} a second`],
  ];
}

/** What documents say with a number of the source. */
function said(): readonly (readonly [document: string, sentence: string])[] {
  return SAID.map(([document, sentence, file, name, unit = 1]) => {
    const value = (numberIn([file, name]) / unit).toLocaleString("en");
    return [document, sentence.replace("#", value)];
  });
}

describe("a number in a document", () => {
  it.each([...said(), ...derived()])("%s: %s", (document, sentence) => {
    expect(read(document)).toContain(sentence);
  });

  it.each(SHOWN)("%s: %s (%s)", (document, sentence, file, text) => {
    expect(read(document)).toContain(sentence);
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    if (text !== "") expect(read(file)).toContain(text);
  });

  it("is made or checked by a test, wherever it counts something", () => {
    const known = [...said(), ...derived(), ...SHOWN];
    const open = DOCUMENTS.flatMap((document) =>
      proseOf(document).flatMap((line) => {
        const covered = known.flatMap(([of, sentence]) => {
          const at = of === document ? line.indexOf(sentence) : -1;
          return at < 0 ? [] : [[at, at + sentence.length] as const];
        });
        return [...line.matchAll(QUANTITY), ...line.matchAll(IN_WORDS)]
          .filter(({ index }) => !covered.some(([from, to]) => index >= from && index < to))
          .map(([text]) => `${document}: ${text}: ${line.slice(0, 90)}`);
      }),
    );
    expect(open).toEqual([]);
  });
});
