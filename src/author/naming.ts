import { groupBy } from "../model/groupBy.js";

/** An object that needs a name: what it may be called, in order, and what tells it from others of that name. */
export interface Nameless {
  /** A display name, then an alias or another name of it. */
  readonly called: readonly string[];
  /** What the service calls it apart from its display name; empty where it has no alias. */
  readonly alias: string;
  /** What it belongs to, such as the name of its app; empty where that tells nothing. */
  readonly context: string;
  /** Unique within the kind. */
  readonly id: string;
}

// How much of an id tells two objects apart, from short to all of it.
const ENDS = [4, 8, 16, Number.POSITIVE_INFINITY];

/**
 * A name for each object of a kind, in the order given. Those that would share a name all get a suffix, so that the
 * order of a list never decides. A name that is taken stays with what has it.
 */
export function nameAll(
  kind: string,
  objects: readonly Nameless[],
  taken: ReadonlySet<string> = new Set(),
): readonly string[] {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  const plain = objects.map((object) => slugFor(kind, object));
  const aliases = aliasSuffixes(objects, plain);
  const suffixes: readonly ((object: Nameless) => string | null)[] = [
    () => "",
    (object) => aliases.get(object) ?? null,
    ({ context }) => slugOf(context),
    ...ENDS.map(
      (end) =>
        ({ id }: Nameless): string =>
          slugOf(endOf(id, end)),
    ),
    ...ENDS.map(
      (end) =>
        ({ id, context }: Nameless): string =>
          slugOf(`${context} ${endOf(id, end)}`),
    ),
  ];
  const names: (string | null)[] = objects.map(() => null);
  for (const suffix of suffixes) {
    const open = objects.flatMap((object, at) => {
      const end = names[at] === null ? suffix(object) : null;
      return end === null ? [] : [{ at, name: withSuffix(plain[at] ?? "", end) }];
    });
    const counts = new Map<string, number>();
    for (const { name } of open) counts.set(name, (counts.get(name) ?? 0) + 1);
    const free = open.filter(({ name }) => counts.get(name) === 1 && !used.has(name) && !isReserved(name));
    for (const { at, name } of free) names[at] = name;
    for (const { name } of free) used.add(name);
  }
  return names.map((name, at) => name ?? lastResort(plain[at] ?? "", used));
}

/**
 * What tells each object from those of the same name: the words of its alias without those that all their aliases begin and
 * end with. An object without an alias has none.
 */
function aliasSuffixes(
  objects: readonly Nameless[],
  plain: readonly string[],
): ReadonlyMap<Nameless, string> {
  const found = new Map<Nameless, string>();
  const named = objects.map((object, at) => ({
    object,
    plain: plain[at] ?? "",
    alias: slugOf(object.alias),
  }));
  const groups = groupBy(
    named.filter(({ alias }) => alias !== ""),
    (one) => one.plain,
  );
  for (const group of groups.values()) {
    const words = group.map(({ alias }) => alias.split("-"));
    const before = sharedWords(words);
    const after = sharedWords(words.map((each) => each.toReversed()));
    for (const [at, { object, alias, plain }] of group.entries()) {
      const all = words[at] ?? [];
      const own = all.slice(before, Math.max(before, all.length - after)).join("-");
      const whole = alias.startsWith(`${plain}-`) ? alias.slice(plain.length + 1) : alias;
      found.set(object, own === "" ? whole : own);
    }
  }
  return found;
}

/** How many words at the beginning are the same in all. */
function sharedWords(all: readonly (readonly string[])[]): number {
  const [first = []] = all;
  const place = first.findIndex((word, at) => all.some((words) => words[at] !== word));
  return place === -1 ? first.length : place;
}

function slugFor(kind: string, { called, id }: Nameless): string {
  const slug = called.map(slugOf).find((one) => one !== "");
  return slug ?? slugOf(`${kind} ${endOf(id, 6)}`);
}

function endOf(id: string, length: number): string {
  return id.slice(-Math.min(length, id.length));
}

// Two ids may differ in nothing that a name can hold, such as the case of their letters.
function lastResort(name: string, used: Set<string>): string {
  for (let number = 2; ; number += 1) {
    const numbered = withSuffix(name, String(number));
    if (used.has(numbered)) continue;
    used.add(numbered);
    return numbered;
  }
}

/** The longest name that a slug makes. */
const LONGEST = 60;

/** The longest suffix, so that something is left of every name. */
const LONGEST_SUFFIX = 40;

/** Names that Windows keeps for devices, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** A display name as the name of a manifest and of its file: ASCII letters and digits, joined by `-`; empty for none. */
export function slugOf(text: string): string {
  const letters = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return trimmed(letters).slice(0, LONGEST).replace(/-+$/, "");
}

/** Whether a name cannot be a file's name on every system. */
function isReserved(name: string): boolean {
  return RESERVED.test(name);
}

/** A name with a suffix, within the same length. */
function withSuffix(name: string, suffix: string): string {
  // An id tells most at its end.
  const end = trimmed(trimmed(suffix).slice(-LONGEST_SUFFIX));
  if (end === "") return name;
  const room = LONGEST - end.length - 1;
  return `${name.slice(0, room).replace(/-+$/, "")}-${end}`;
}

function trimmed(text: string): string {
  return text.replace(/^-+|-+$/g, "");
}
