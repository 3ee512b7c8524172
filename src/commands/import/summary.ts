import { kinds } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { formatLine, lineAt } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { wrap } from "../../report/text/layout.js";
import { tameLine } from "../../report/text/visible.js";
import { firstOf } from "../../words/more.js";
import type { Gone, LeftOut, LeftOutBecause } from "./leftOut.js";
import type { Imported } from "./objects.js";

/** So many ids say where to look; more only fill the screen. */
const MOST_NAMED = 3;

const BECAUSE: Readonly<Record<LeftOutBecause, string>> = {
  described: "a manifest describes already",
  "managed elsewhere": "an access profile manages",
  "built in by the service": "the service made",
  connector: "a connector makes",
  "built in": "every app has",
  "of a profile": "an access profile consists of",
  "made for an app": "the service made for an app",
  deleted: "no longer exist",
  unread: "could not be read",
  unwritable: "cannot be written as a manifest",
};

/** So many objects with a reason of their own; one reason is often that of all. */
const MOST_EXPLAINED = 10;

/** Reasons about which a reader may want to do something: each object is named, with what is known of it. */
const NAMED: ReadonlySet<LeftOutBecause> = new Set(["unread", "unwritable"]);

/** How many manifests there are, and where. */
export function headLines({ manifests }: Imported, folder: string, isDryRun: boolean): readonly string[] {
  if (manifests.length === 0)
    return ["No new manifest: remit found nothing else in the tenant that it can write."];
  const noun = manifests.length === 1 ? "manifest" : "manifests";
  const done = isDryRun ? "can be written" : "written";
  return [
    `${manifests.length} ${noun} ${done} to ${folder}/: ${countsOf(manifests)}.`,
    ...(isDryRun ? [] : [NEXT]),
  ];
}

/** Lines as they fit a terminal; the rest of a line stands below it, further in. */
export function laidOut(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => {
    const text = line.trimStart();
    const indent = line.slice(0, line.length - text.length);
    return wrap(text, columns, indent, `${indent}  `);
  });
}

const NEXT =
  "The new manifests change nothing in the tenant. `remit apply` records the objects in the state, without a write.";

/** How many manifests there are of each kind: `29 template scopes, 1 resource type`. */
function countsOf(manifests: readonly { readonly kind: string }[]): string {
  return kinds
    .map(({ name, noun }) => ({ noun, count: manifests.filter(({ kind }) => kind === name).length }))
    .filter(({ count }) => count > 0)
    .map(({ noun, count }) => `${count} ${count === 1 ? noun.one : noun.many}`)
    .join(" · ");
}

/** Why objects got no manifest, and which manifests have no object; nothing where there is none of them. */
export function leftOutLines(
  { leftOut, gone, incomparable, unknown }: Imported,
  nameOf: (object: LeftOut) => string = calledOrKey,
): readonly string[] {
  const groups = groupBy(leftOut, ({ because, kind }) => `${because} ${kind}`);
  const order = Object.keys(BECAUSE);
  const sorted = [...groups.values()].sort((one, other) => rank(one, order) - rank(other, order));
  const lines = sorted.flatMap((group) => linesOf(group, nameOf));
  const reads = unknown.map(({ what, why }) => tameLine(`  ${what}: unknown: ${why}`));
  return [
    ...(lines.length === 0 ? [] : ["Left out:", ...lines]),
    ...(gone.length === 0 ? [] : ["Not in the tenant:", ...gone.map(goneLine)]),
    ...(incomparable.length === 0 ? [] : ["Cannot be compared:", ...incomparable.map(incomparableLine)]),
    ...(reads.length === 0 ? [] : ["Not read:", ...reads]),
  ];
}

function calledOrKey({ key, name }: LeftOut): string {
  return name === "" ? key.join("/") : `${name} (${key.join("/")})`;
}

function goneLine({ resource: { address, place }, isRecorded }: Gone): string {
  const line = formatLine(lineAt(place([]).span));
  const why = isRecorded ? "deleted since the last apply" : "deleted, or not created yet";
  return tameLine(`  ${formatAddress(address)} (${line}): ${why}`);
}

function incomparableLine({ resource: { address, place }, why }: Imported["incomparable"][number]): string {
  const line = formatLine(lineAt(place([]).span));
  return tameLine(`  ${formatAddress(address)} (${line}): ${why}`);
}

function rank([first]: readonly LeftOut[], order: readonly string[]): number {
  return order.indexOf(first?.because ?? "");
}

function linesOf(group: readonly LeftOut[], nameOf: (object: LeftOut) => string): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const noun = kinds.find(({ name }) => name === first.kind)?.noun;
  const many = group.length === 1 ? noun?.one : noun?.many;
  const verb = BECAUSE[first.because].replace(/exist$/, group.length === 1 ? "exists" : "exist");
  const head = `  ${group.length} ${many ?? first.kind} that ${verb}`;
  if (NAMED.has(first.because)) {
    const explained = group.slice(0, MOST_EXPLAINED);
    const rest = group.length - explained.length;
    return [
      `${head}:`,
      ...explained.map((one) => tameLine(`    ${nameOf(one)}: ${one.detail}`)),
      ...(rest > 0 ? [`    and ${rest} more: --format json has them all`] : []),
    ];
  }
  if (first.because !== "managed elsewhere" && first.because !== "deleted") return [head];
  return [tameLine(`${head}: ${firstOf(group.map(nameOf), MOST_NAMED)}`)];
}
