import schema from "../../../schemas/test.json" with { type: "json" };
import { readCompanions } from "../../manifest/companion.js";
import { locate, type Written } from "../../manifest/locate.js";
import type { Place } from "../../manifest/resource.js";
import type { Source } from "../../manifest/source.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { compile } from "../../schema/compile.js";
import { say } from "../../words/say.js";
import { type MadeUp, mistakesIn, stranger, type TestMistake } from "./people.js";

/** One document of kind Test. Every name of a person in it is one of its people. */
export interface TestDocument extends MadeUp {
  readonly name: string;
  /** The day that `now()` is in; null for that of the run. */
  readonly today: string | null;
  readonly expectations: readonly ExpectedAnswer[];
  readonly place: (path: Path) => Place;
}

/** What is expected of one rule for one person, or of all rules. */
export interface ExpectedAnswer {
  readonly path: Path;
  /** Null for every person of the test. */
  readonly person: string | null;
  /** The address of a rule. */
  readonly rule: string;
  readonly is: boolean;
  /** The rules that may give the person access, where no other rule of the project may; otherwise null. */
  readonly only: readonly string[] | null;
}

const check = compile(schema, "the test");

/** The tests of texts, and what is wrong with them. A document with a mistake is left out. */
export function readTests(sources: readonly Source[]): Checked<readonly TestDocument[]> {
  const { value: documents, diagnostics } = readCompanions(sources, "Test", check);
  const read = documents.map(({ value, written }) => readTest(value as unknown as WrittenTest, written));
  const isWhole = (one: Checked<TestDocument>) => !hasErrors(one.diagnostics);
  return {
    value: read.filter(isWhole).map(({ value }) => value),
    diagnostics: [...diagnostics, ...read.flatMap((one) => one.diagnostics)],
  };
}

/** A document as the schema has it. */
interface WrittenTest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly today?: string;
    readonly people: Readonly<Record<string, JsonObject>>;
    readonly entitlements?: Readonly<Record<string, readonly string[]>>;
    readonly expect: readonly WrittenExpectation[];
  };
}

interface WrittenExpectation {
  readonly person?: string;
  readonly holds?: "only" | readonly string[];
  readonly of?: readonly string[];
  readonly lacks?: readonly string[];
  readonly review?: string;
  readonly covers?: readonly string[];
  readonly leavesOut?: readonly string[];
  readonly nobody?: string;
}

function readTest({ metadata, spec }: WrittenTest, written: Written): Checked<TestDocument> {
  const diagnostics: Diagnostic[] = [];
  const { people, entitlements = {}, today = null, expect } = spec;
  const tell = ({ problem, path, hint }: TestMistake) => {
    diagnostics.push(say("expectation/mistake#document", { problem, hint }, locate(written, path)));
  };
  for (const { path, ...mistake } of mistakesIn({ people, entitlements }))
    tell({ ...mistake, path: ["spec", ...path] });
  const expectations = expect.flatMap((one, at): readonly ExpectedAnswer[] => {
    const path = ["spec", "expect", at];
    const fault = faultOf(one);
    if (fault !== null) tell({ problem: fault, hint: FORMS, path });
    else if (one.person !== undefined) stranger(one.person, people, [...path, "person"]).forEach(tell);
    for (const member of ["covers", "leavesOut"] as const)
      for (const [item, name] of (one[member] ?? []).entries())
        stranger(name, people, [...path, member, item]).forEach(tell);
    return fault === null ? expectationsOf(one, path) : [];
  });
  const place = (path: Path) => locate(written, path);
  return {
    value: { name: metadata.name, people, entitlements, today, expectations, place },
    diagnostics,
  };
}

const FORMS =
  "Write { person, holds: [ADDRESS], lacks: [ADDRESS] }, { person, holds: only, of: [ADDRESS] }, " +
  "{ review: ADDRESS, covers: [PERSON], leavesOut: [PERSON] } or { `nobody`: ADDRESS }.";

/** Why an expectation says nothing, or two things; null where it is clear. */
function faultOf(one: WrittenExpectation): string | null {
  const { person, holds, of, lacks, review, covers, leavesOut, nobody } = one;
  const subjects = [person, review, nobody].filter((subject) => subject !== undefined);
  if (subjects.length !== 1) return "an expectation is about one of `person`, `review` and `nobody`";
  if (person !== undefined && holds === undefined && lacks === undefined)
    return "the expectation does not say what the person holds or lacks";
  if (review !== undefined && covers === undefined && leavesOut === undefined)
    return "the expectation does not say whom the review covers or leaves out";
  if ((holds === "only") !== (of !== undefined)) return "`holds: only` and `of` stand together";
  if (person === undefined && (holds ?? of ?? lacks) !== undefined)
    return "`holds` and `lacks` are about a `person`";
  if (review === undefined && (covers ?? leavesOut) !== undefined)
    return "`covers` and `leavesOut` are about a `review`";
  return null;
}

function expectationsOf(one: WrittenExpectation, path: Path): readonly ExpectedAnswer[] {
  const { person = null, holds, of = [], lacks = [], review = "", covers = [], leavesOut = [], nobody } = one;
  const ofPerson = (member: string, rules: readonly string[], is: boolean) =>
    rules.map((rule, at): ExpectedAnswer => ({ path: [...path, member, at], person, rule, is, only: null }));
  const ofReview = (member: string, people: readonly string[], is: boolean) =>
    people.map(
      (name, at): ExpectedAnswer => ({
        path: [...path, member, at],
        person: name,
        rule: review,
        is,
        only: null,
      }),
    );
  return [
    ...(holds === "only" ? ofPerson("of", of, true) : ofPerson("holds", holds ?? [], true)),
    ...(holds === "only" ? [{ path: [...path, "holds"], person, rule: "", is: false, only: of }] : []),
    ...ofPerson("lacks", lacks, false),
    ...ofReview("covers", covers, true),
    ...ofReview("leavesOut", leavesOut, false),
    ...(nobody === undefined
      ? []
      : [{ path: [...path, "nobody"], person: null, rule: nobody, is: false, only: null }]),
  ];
}
