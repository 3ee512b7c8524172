import { given, notGot } from "../../cli/exitCode.js";
import { columns } from "../../cli/print/columns.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printManifests } from "../../cli/print/manifests.js";
import { showReading } from "../../cli/print/reading.js";
import type { Context } from "../../cli/run/context.js";
import { wholeRequest } from "../../cli/run/planning.js";
import { type Run, sessionOf, withRun } from "../../cli/run/run.js";
import type { World } from "../../cli/world/world.js";
import { nameIn } from "../../kinds/spelling.js";
import { parse } from "../../manifest/parse/parse.js";
import { formatAddress } from "../../model/address.js";
import { globbed, isPattern } from "../../model/glob.js";
import { canonical, type Json, type JsonObject } from "../../model/json.js";
import { safeJson } from "../../report/text/safeJson.js";
import { tame, tameLine } from "../../report/text/visible.js";
import { completenessLines, completenessWith } from "../state/completeness.js";
import { choiceFrom, wordOf } from "./choice.js";
import type { NamedList, NamedRow } from "./namedList.js";
import { type GetChoice, type Got, type GotObject, getObjects } from "./objects.js";
import type { GetFlags } from "./usage.js";
import type { AttributeValues } from "./values.js";

/** Prints what the tenant contains: objects as manifests, and what their ids point at as lists. */
export default async function get(
  this: Context,
  flags: GetFlags,
  ...texts: readonly string[]
): Promise<number> {
  const { world } = this;
  const choice = choiceFrom(texts);
  if (choice.diagnostics.length > 0) return endWith(world, "wrong usage", choice.diagnostics);
  return withRun(world, { command: "get", flags, tenant: true }, async (run) => {
    const request = await wholeRequest(run, flags, "off");
    const { progress, end } = showReading(world, flags, run.tenant);
    const order = { request, choice: choice.value, progress };
    const { value, diagnostics } = await getObjects(order, sessionOf(run)).finally(end);
    if (value === null) {
      printDiagnostics(world, diagnostics, flags.verbose);
      return notGot(diagnostics);
    }
    await print(world, value, flags, choice.value).finally(end);
    printDiagnostics(world, diagnostics, flags.verbose);
    tellRest(run, value, flags, choice.value);
    return given(diagnostics);
  });
}

async function print(
  world: World,
  got: Got,
  { format, output }: GetFlags,
  { objects }: GetChoice,
): Promise<void> {
  if (output === "ids") return printIds(world, got);
  const chosen = format ?? output ?? (objects.length > 0 ? "yaml" : "table");
  if (chosen === "table") return printTable(world, got);
  return chosen === "json" ? printJson(world, got) : printYaml(world, got);
}

/** Says on the standard error what was not read, and what no list of the service shows. */
function tellRest({ world, project }: Run, got: Got, { quiet }: GetFlags, choice: GetChoice): void {
  // A list that was not read to its end proves nothing.
  for (const { of, only } of got.lists.filter(({ rows, isWhole }) => rows.length === 0 && isWhole)) {
    const fits = only === null ? "the tenant has none" : `none fits ${JSON.stringify(only)}`;
    world.stderr.write(`${tameLine(`No ${wordOf(of)} found: ${fits}.`)}\n`);
  }
  const { objects } = choice;
  for (const { kind, only } of objects.filter(({ only }) => isPattern(only))) {
    const isFit = got.objects.some(
      ({ address }) => address.kind === kind && globbed(only ?? "", address.name),
    );
    if (!isFit)
      world.stderr.write(`${tameLine(`No ${kind} found: no name fits ${JSON.stringify(only)}.`)}\n`);
  }
  const reads = got.unknown().map(({ what, why }) => tameLine(`  ${what}: unknown: ${why}`));
  if (reads.length > 0) world.stderr.write(`${["Not read:", ...reads].join("\n")}\n`);
  if (got.values.some(({ isWhole }) => !isWhole))
    world.stderr.write(
      "The list of users was not read to its end, or changed meanwhile: there may be more.\n",
    );
  if (quiet) return;
  // An object that was named needs no list.
  const listed = objects.filter(({ only }) => only === null || isPattern(only)).map(({ kind }) => kind);
  const looked = completenessWith(project.settings.interface.value).filter(({ kind }) =>
    listed.includes(kind),
  );
  world.stderr.write(completenessLines(world, looked));
}

/** Prints the ids alone, one a line: an object in an app with the app's id before its own. */
export function printIds({ stdout }: World, { objects, lists, values }: Got): void {
  const keys = objects.map(({ observed }) => observed.key.join("/"));
  const ids = lists.flatMap(({ rows }) => rows.map(({ app, id }) => (app === null ? id : `${app.id}/${id}`)));
  const each = values.flatMap((one) => one.values.map(({ value }) => textOf(value)));
  for (const line of [...keys, ...ids, ...each]) stdout.write(`${tame(line)}\n`);
}

/** Prints the objects as a stream of manifests, and the lists as one document. */
export async function printYaml({ stdout }: World, got: Got): Promise<void> {
  let isFirst = true;
  for await (const text of got.texts()) {
    printManifests(stdout, isFirst ? text : `---\n${text}`);
    isFirst = false;
  }
  if (got.lists.length + got.values.length === 0) return;
  const { yamlOf: toYaml } = await import("../../manifest/format/write.js");
  printManifests(stdout, `${isFirst ? "" : "---\n"}${toYaml(listsOf(got))}`);
}

/** Prints one JSON value: the objects with their manifests, and each list by its name. */
export async function printJson({ stdout }: World, got: Got): Promise<void> {
  const objects = got.objects[Symbol.iterator]();
  let isFirst = true;
  stdout.write('{\n  "objects": [');
  for await (const text of got.texts()) {
    const { value: one } = objects.next() as { value: GotObject };
    stdout.write(`${isFirst ? "" : ","}\n${indented(recordOf(one, text), 4)}`);
    isFirst = false;
  }
  stdout.write(isFirst ? "]" : "\n  ]");
  for (const [name, rows] of Object.entries(listsOf(got))) {
    stdout.write(`,\n  ${safeJson(JSON.stringify(name))}: ${indented(rows, 2).trimStart()}`);
  }
  stdout.write("\n}\n");
}

/** Prints a line for each object, and each list under its own heading. */
export function printTable({ stdout }: World, { objects, lists, values }: Got): void {
  const tables: string[][][] = [];
  if (objects.length > 0) tables.push([["ADDRESS", "ID", "MANIFEST", "NAME"], ...objects.map(cellsOf)]);
  for (const list of lists) {
    const [head = [], ...rows] = tableOf(list);
    tables.push([[...head], ...rows.map((row) => [...row])]);
  }
  for (const one of values) tables.push(valuesTable(one));
  stdout.write(tables.map((table) => columns(table)).join("\n"));
}

/** A line for each value; those without one come last. */
function valuesTable({ attribute, values, without }: AttributeValues): string[][] {
  const rows = values.map(({ value, users }) => [textOf(value), String(users)]);
  if (without > 0) rows.push(["(none)", String(without)]);
  return [[attribute, "USERS"], ...rows];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonical(value);
}

function cellsOf({ address, observed: { key, fields }, isDescribed, note }: GotObject): string[] {
  return [formatAddress(address), key.join("/"), note ?? (isDescribed ? "yes" : "no"), nameIn(fields)];
}

function tableOf({ of, rows }: NamedList): readonly (readonly string[])[] {
  const isInApp = rows.some(({ app }) => app !== null);
  const handle = of === "entitlement" ? "ALIAS" : of === "user" ? "E-MAIL" : null;
  const head = ["ID", ...(handle === null ? [] : [handle]), ...(isInApp ? ["APP"] : []), "NAME"];
  const cells = rows.map((row) => [
    row.id,
    ...(handle === null ? [] : [(of === "user" ? row.email : row.alias) ?? ""]),
    ...(isInApp ? [row.app?.name ?? ""] : []),
    row.name,
  ]);
  return [head, ...cells];
}

/** The lists by the words of the command line. */
function listsOf({ lists, values }: Got): JsonObject {
  const words = [...new Set(lists.map(({ of }) => wordOf(of)))];
  const named = words.map((word) => [
    word,
    lists.flatMap(({ of, rows }) => (wordOf(of) === word ? rows.map(rowOf) : [])),
  ]);
  const counted = values.map(({ attribute, values, without }) => [
    attribute,
    [...values.map((one) => ({ ...one })), ...(without > 0 ? [{ value: null, users: without }] : [])],
  ]);
  return {
    ...Object.fromEntries(named),
    ...(values.length === 0 ? {} : { values: Object.fromEntries(counted) }),
  };
}

function rowOf({ id, name, alias, slug, email, app, attributes = {} }: NamedRow): JsonObject {
  return {
    id,
    name,
    ...(alias === undefined || alias === "" ? {} : { alias }),
    ...(slug === undefined || slug === "" ? {} : { slug }),
    ...(email === undefined || email === "" ? {} : { email }),
    ...besides(attributes, ["displayName", "email"]),
    ...(app === null ? {} : { appId: app.id, app: app.name }),
  };
}

/** The attributes but those that the line has already. */
function besides(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

function recordOf({ address, observed, isDescribed, note }: GotObject, text: string): JsonObject {
  const { value: documents } = parse({ file: "-", text, named: true });
  return {
    address: formatAddress(address),
    key: [...observed.key],
    hasManifest: isDescribed,
    leftAloneBecause: note,
    manifest: documents[0]?.value ?? null,
  };
}

/** A value of the whole, moved in by its depth. */
function indented(value: unknown, depth: number): string {
  return safeJson(JSON.stringify(value, null, 2)).replaceAll(/^/gm, " ".repeat(depth));
}
