import fc from "fast-check";
import type { Correction } from "../../../src/commands/accept/edit/align.js";
import { correctionsOf } from "../../../src/commands/accept/edit/corrections.js";
import { writeAccepted } from "../../../src/commands/accept/edit/write.js";
import { compare } from "../../../src/diff/compare.js";
import { owns, unitsOf } from "../../../src/diff/own.js";
import { kinds } from "../../../src/kinds/index.js";
import type { Kind } from "../../../src/kinds/kind.js";
import { normalise, normaliseWritten } from "../../../src/kinds/normalise.js";
import { locate, writtenAt } from "../../../src/manifest/locate.js";
import { readManifests } from "../../../src/manifest/manifests.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import type { Resource } from "../../../src/manifest/resource.js";
import type { Source } from "../../../src/manifest/source.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { valueAt } from "../../../src/model/path.js";
import { SHARINGS, sharing } from "../../author/shared.js";
import { anySpec, withoutEmpty } from "../../kinds/specs.js";
import { Pen, type Tree } from "../../manifest/format/anyManifest.js";

/** A file with a manifest, and the fields that the tenant has in the place of its own. */
export interface Drifted {
  readonly text: string;
  readonly file: string;
  readonly other: JsonObject;
  readonly pick: number;
}

const IDS = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const OTHER = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
/** The fields that every manifest of a kind has: its ids, and what its schema requires, as in its example. */
export const IDENTITY: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  kinds.map(({ name, schema, shape }) => {
    const ids = shape.identity.map((field, at) => [field, at < shape.identity.length - 1 ? IDS : OTHER]);
    const example = valueAt(schema, ["examples", 0, "spec"]);
    const needed = [...shape.required, ...shape.always].map((field) => [
      field,
      valueAt(example, [field]) ?? null,
    ]);
    return [name, Object.fromEntries([...ids, ...needed])];
  }),
);

/** How a text may be quoted. */
function scalarTree(text: string, choice: number): Tree {
  const double = JSON.stringify(text).replace(/[\u007f-\u009f]/g, "");
  if (text.includes("\n") && choice % 3 > 0)
    return {
      is: "lines",
      header: HEADERS[choice % HEADERS.length] ?? "|",
      lines: text.replace(/\n+$/, "").split("\n"),
    };
  // A space becomes the end of a line: between words that are plain or quoted, it means the same.
  if (choice % 7 === 3 && BETWEEN_WORDS.test(text))
    return { is: "scalar", text: broken(text, double, choice) };
  if (choice % 11 === 5) return { is: "scalar", text: `!!str ${double}` };
  if (isPlain(text) && choice % 2 === 0) return { is: "scalar", text };
  if (!/[\n']/.test(text) && choice % 3 === 0) return { is: "scalar", text: `'${text}'` };
  return { is: "scalar", text: double };
}

const HEADERS = ["|", "|-", "|+", ">-", ">", ">+", "|2", ">2-"];
const BETWEEN_WORDS = /(?<=\S) (?=\S)/;

function isPlain(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9 ]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

/** A text on two lines, plain or quoted; in double quotes the end of the line may be escaped. */
function broken(text: string, double: string, choice: number): string {
  if (isPlain(text) && choice % 2 === 0) return text.replace(BETWEEN_WORDS, "\n");
  if (!/[\n']/.test(text) && choice % 3 === 0) return `'${text.replace(BETWEEN_WORDS, "\n")}'`;
  return double.replace(BETWEEN_WORDS, choice % 4 === 0 ? "\\\n\\ " : "\n");
}

function treeOf(value: Json, choices: Iterator<number>): Tree {
  const choice = choices.next().value as number;
  if (typeof value === "string") return scalarTree(value, choice);
  if (Array.isArray(value))
    return { is: "list", flow: choice % 2 === 0, items: value.map((item: Json) => treeOf(item, choices)) };
  if (isObject(value)) {
    const pairs = Object.entries(value).map(
      ([name, item]) => [/^\w+$/.test(name) ? name : JSON.stringify(name), treeOf(item, choices)] as const,
    );
    return { is: "map", flow: choice % 3 === 0, pairs };
  }
  return { is: "scalar", text: String(value) };
}

/** Any file of one to three manifests of a kind, and any other fields for the one called `one`. */
export function anyDrift(kind: Kind): fc.Arbitrary<Drifted> {
  const { shape } = kind;
  const fixed = [...shape.identity, ...shape.createOnly, ...shape.requestOnly];
  return fc
    .record({
      spec: anySpec(shape, fixed),
      other: anySpec(shape, fixed),
      before: fc.nat(2),
      after: fc.nat(1),
      choices: fc.infiniteStream(fc.nat(99)),
      newline: fc.constantFrom("\n", "\r\n"),
      ends: fc.constantFrom("\n", "", "\n\n", "\n# end\n"),
      tabs: fc.boolean(),
      json: fc.integer({ min: 0, max: 9 }),
      pick: fc.nat(20),
      shares: fc.constantFrom("nothing", "nothing", "nothing", ...SHARINGS),
      mark: fc.integer({ min: 0, max: 3 }).map((chance) => (chance === 0 ? "\ufeff" : "")),
    })
    .map(({ spec, other, before, after, choices, newline, ends, tabs, json, pick, shares, mark }) => {
      const picks = choices[Symbol.iterator]();
      const name = kind.name;
      const document = (called: string, own: JsonObject): JsonObject => ({
        apiVersion: "remit/v1",
        kind: name,
        metadata: { name: called },
        spec: withoutEmpty(own, kind.schema, IDENTITY[name]),
      });
      const fields = withoutEmpty(other, kind.schema, IDENTITY[name]);
      const shown = normalise(
        Object.fromEntries(Object.entries(fields).filter(([each]) => !fixed.includes(each))),
        shape,
      );
      const one = document("one", spec);
      if (json === 0) {
        const text = JSON.stringify(one, null, pick % 2 === 0 ? 2 : undefined);
        return { text: `${mark}${text.replaceAll("\n", newline)}`, file: "all.json", other: shown, pick };
      }
      const pen = new Pen({ [Symbol.iterator]: () => picks });
      const marked = (called: string, own: JsonObject) => treeOf(document(called, own), picks);
      for (let at = 0; at < before; at += 1) {
        pen.write(blockAtTop(marked(`before-${at}`, {})));
        pen.marker();
      }
      pen.write(sharing(blockAtTop(marked("one", spec)), shares, fixed));
      for (let at = 0; at < after; at += 1) {
        pen.marker();
        pen.write(blockAtTop(marked(`after-${at}`, {})));
      }
      const lines = `${pen.text.replace(/\n+$/, "")}${ends}`.split("\n");
      const tabbed = lines.map((line, at) =>
        tabs && at % 3 === 0 ? line.replace(/^( *\w+:) (?=\S)/, "$1\t") : line,
      );
      return { text: `${mark}${tabbed.join(newline)}`, file: "all.yaml", other: shown, pick };
    });
}

function blockAtTop(tree: Tree): Tree {
  if (tree.is !== "map") return tree;
  return {
    ...tree,
    flow: false,
    pairs: tree.pairs.map(([name, value]) => [
      name,
      value.is === "map" ? { ...value, flow: value.flow && name !== "spec" } : value,
    ]),
  };
}

/** What came of accepting one drifted field; a sentence for each part of the law that does not hold. */
export interface Judged {
  readonly is: "illegible" | "same" | "refused" | "written";
  readonly faults: readonly string[];
  readonly why: string;
  readonly after: string;
}

function membersOf(source: Source): readonly Resource[] | null {
  const { members, diagnostics } = readManifests(source, NO_VOCABULARY);
  const isFaulty = diagnostics.some(({ diagnostic }) => diagnostic.severity === "error");
  return isFaulty ? null : members.map(({ resource }) => resource);
}

/** Accepts one field of a drifted manifest, and judges the text that comes of it. */
export function judge({ text, file, other, pick }: Drifted, kind: Kind): Judged {
  const nothing = { faults: [], why: "", after: text };
  const source = { file, text, named: true };
  const members = membersOf(source);
  const resource = members?.find(({ address }) => address.name === "one");
  if (members === null || members === undefined || resource === undefined)
    return { is: "illegible", ...nothing };
  const { shape } = kind;
  const owned = Object.keys(resource.spec);
  const units = unitsOf(shape).filter((unit) => owns(owned, unit));
  const unit = units[pick % Math.max(1, units.length)];
  if (unit === undefined) return { is: "same", ...nothing };
  const applied = normaliseWritten(resource.spec, shape);
  const kept = Object.entries(applied).filter(
    ([name]) => !unit.members.includes(name) && !shape.identity.includes(name),
  );
  const taken = Object.entries(other).filter(([name]) => unit.members.includes(name));
  const current = normalise(Object.fromEntries([...kept, ...taken]), shape);
  const corrections = correctionsOf(resource.spec, {}, current, shape, () => null).filter(({ place }) =>
    unit.members.includes(String(place[0])),
  );
  const { text: after, unwritten } = writeAccepted(
    source,
    [{ resource, current, corrections, meanings: {} }],
    [],
    NO_VOCABULARY,
  );
  if (after === null) return { is: "written", faults: ["the file is gone"], why: "", after: "" };
  const problem =
    corrections.find((correction) => correction.problem !== null)?.problem ?? unwritten[0]?.fault.message;
  if (corrections.length === 0) {
    const isEqual = compare(current, applied, unit.shape).length === 0;
    return {
      is: "same",
      ...nothing,
      faults: [
        ...(isEqual ? [] : ["a difference has no correction"]),
        ...(after === text ? [] : ["written without a difference"]),
      ],
    };
  }
  // Of several corrections of a field, those whose text is shared are refused, and the others are written.
  const isInPart = corrections.length > 1 && unwritten.length > 0 && after !== text;
  if (problem !== undefined && problem !== null && !isInPart)
    return { is: "refused", why: problem, after, faults: after === text ? [] : ["refused, and yet written"] };
  const faults: string[] = [];
  const again = membersOf({ ...source, text: after });
  const one = again?.find(({ address }) => address.name === "one");
  if (again === null || again === undefined || one === undefined) faults.push("no longer valid");
  else {
    if (!isInPart && compare(current, normaliseWritten(one.spec, shape), unit.shape).length > 0)
      faults.push("the next plan is not empty");
    const rest = (list: readonly Resource[]) =>
      JSON.stringify(
        list.filter((each) => each.address.name !== "one").map(({ address, spec }) => [address, spec]),
      );
    if (rest(again) !== rest(members)) faults.push("another manifest changed");
    if (JSON.stringify(one.labels) !== JSON.stringify(resource.labels)) faults.push("the labels changed");
    for (const name of Object.keys(resource.spec))
      if (
        !unit.members.includes(name) &&
        JSON.stringify(one.spec[name]) !== JSON.stringify(resource.spec[name])
      )
        faults.push(`${name} changed`);
  }
  faults.push(...outside(source, after, corrections));
  return { is: "written", faults, why: "", after };
}

/** Whether every byte outside the stretches of the corrections is as before. */
function outside(source: Source, after: string, corrections: readonly Correction[]): readonly string[] {
  const { text } = source;
  const document = parse(source).value.find(
    ({ value }) =>
      isObject(value) && isObject(value.metadata ?? null) && (value.metadata as JsonObject).name === "one",
  );
  if (document === undefined) return ["the manifest is gone"];
  const ranges = corrections.flatMap(({ operation }) => {
    if (operation === null) return [];
    const path = operation.do === "swap" ? [...operation.path, operation.from] : operation.path;
    const [start, end] = writtenAt({ source, marks: document.marks }, ["spec", ...path]).range;
    const old = text.slice(start, end);
    const isExact =
      operation.do === "set" &&
      typeof operation.value === "string" &&
      !operation.value.includes("\n") &&
      !/^[|>]/.test(old) &&
      old !== "";
    if (isExact) return [[start, end] as const];
    // Comments on a line go with its row; a block begins behind the colon of its name.
    const { line, column } = locate({ source, marks: document.marks }, ["spec", ...path], "name").span.start;
    const lines = text.split("\n").slice(0, line - 1);
    const named = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    const isBelow = operation.do === "rows" || operation.do === "members";
    let from = isBelow ? start : named;
    while (isBelow && from > 0 && /\s/.test(text[from - 1] ?? "")) from -= 1;
    let to = text.indexOf("\n", Math.max(end - 1, 0));
    // A member that is added below a merge key comes last; the marks of such a map end at what is merged.
    to = to < 0 || (operation.path.length === 0 && /<<:/.test(text)) ? text.length : to + 1;
    for (let next = /^ *#.*\n?/.exec(text.slice(to)); next !== null; next = /^ *#.*\n?/.exec(text.slice(to)))
      to += next[0].length;
    return [[from, to] as const];
  });
  if (ranges.length === 0) return [];
  const start = Math.min(...ranges.map(([from]) => from));
  const end = Math.max(...ranges.map(([, to]) => to));
  const faults = [];
  if (!after.startsWith(text.slice(0, start))) faults.push("bytes before the value changed");
  if (!after.endsWith(text.slice(end))) faults.push("bytes behind the value changed");
  return faults;
}
