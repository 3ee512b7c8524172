/** A record of a history, as far as it is judged. */
export interface SeenRecord {
  readonly number: number;
  readonly hash: string;
  readonly before: string | null;
  readonly run: string;
  readonly as: string;
  readonly steps: readonly { readonly address: string; readonly fields: readonly SeenField[] }[];
}

/** A field of a record: hashes of its values, and the values where they are kept. */
export interface SeenField {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly values?: { readonly before?: unknown; readonly after?: unknown };
}

/** One run of a command line, and what was seen of it from outside. */
export interface SeenRun {
  /** What its name begins with. */
  readonly name: string;
  readonly what: string;
  readonly isKilled: boolean;
  readonly code: number | null;
  /** Whether the service was written to while it ran. */
  readonly isSent: boolean;
  /** Whether the state itself, or its place, was another one after it. */
  readonly isChanged: boolean;
  /** Whether the state was encrypted before it and after it. */
  readonly isEncrypted: boolean;
  /** Whether it is a command that changes the state, and not an apply. */
  readonly isCommand: boolean;
  /** Earlier attempts that it completed: one record is of all of them. */
  readonly also: readonly string[];
  /** Why the history could not be read after it; null where it could. */
  readonly fault: string | null;
  /** The history after it, the newest record first. */
  readonly records: readonly SeenRecord[];
}

/**
 * What is wrong with a history that was looked at after each of some runs. It only grows, at its end. Each run that sent
 * something, or changed the state by a command, has one record. No other run has one, unless it was killed or lost its
 * lock: its intents may not have been sent.
 */
export function auditRecords(runs: readonly SeenRun[]): readonly string[] {
  const broken = runs.flatMap((run, place) => [...auditChain(run), ...auditGrowth(run, runs[place - 1])]);
  const last = runs.at(-1)?.records ?? [];
  const completed = new Set(runs.flatMap(({ also }) => also));
  const strange = last.filter(({ run }) => !runs.some(({ name }) => run.startsWith(name)));
  return [
    ...broken,
    ...strange.map(({ run }) => `a record is of the run ${run}, which was not started`),
    ...runs.filter(({ name }) => !completed.has(name)).flatMap((run) => auditRun(run, last)),
  ];
}

function auditChain({ name, what, fault, records }: SeenRun): readonly string[] {
  if (fault !== null) return [`after ${what} ${name} the history is not whole: ${fault}`];
  const isChain = records.every(
    ({ number, before }, place) =>
      number === records.length - place && before === (records[place + 1]?.hash ?? null),
  );
  return isChain ? [] : [`after ${what} ${name} the history is no chain`];
}

function auditGrowth(run: SeenRun, before: SeenRun | undefined): readonly string[] {
  const { name, what, records, fault } = run;
  const old = before?.records ?? [];
  if (fault !== null || (before?.fault ?? null) !== null) return [];
  const added = records.length - old.length;
  const isKept = added >= 0 && old.every(({ hash }, place) => records[added + place]?.hash === hash);
  if (!isKept) return [`${what} ${name} took away or changed records`];
  // A run that was cut off is recorded by the one that settles it, before that one's own.
  const newest = records.slice(0, added);
  const own = newest.findIndex((record) => record.run.startsWith(name));
  return [
    ...(own <= 0 ? [] : [`${what} ${name} wrote a record after its own`]),
    ...newest.flatMap((record) => auditValues(run, record)),
  ];
}

/** An encrypted state keeps each value that a record has the hash of; a readable one keeps none. */
function auditValues(run: SeenRun, { run: of, steps }: SeenRecord): readonly string[] {
  return steps.flatMap(({ address, fields }) =>
    fields.flatMap(({ name, before, after, values }) => {
      const isKept = (hash: string | null, when: "before" | "after") =>
        (hash !== null && hash !== "unknown") === Object.hasOwn(values ?? {}, when);
      const isRight = run.isEncrypted
        ? isKept(before, "before") && isKept(after, "after")
        : values === undefined;
      return isRight
        ? []
        : [`after ${run.what} ${run.name} the record of ${of} has other values of ${address}#${name}`];
    }),
  );
}

function auditRun(run: SeenRun, records: readonly SeenRecord[]): readonly string[] {
  const { name, what, isKilled, code, isSent, isChanged, isCommand, also } = run;
  const own = records.filter((record) => [name, ...also].some((one) => record.run.startsWith(one)));
  const told = `${what} ${name} (${isKilled ? "killed" : `exit ${code}`})`;
  if (own.length > 1) return [`${told} has ${own.length} records: ${own.map(({ as }) => as).join(", ")}`];
  const needs = isCommand ? isChanged : isSent;
  if (needs && own.length === 0)
    return [`${told} ${isSent ? "sent something" : "changed the state"} and has no record`];
  if (own.length === 0 || needs) return own.flatMap((record) => auditKind(run, told, record));
  if (isCommand) return [`${told} changed nothing and has a record`];
  return isKilled || code !== 0 || own.every(({ steps }) => steps.length > 0)
    ? []
    : [`${told} sent nothing and has a record without steps`];
}

function auditKind(
  { isKilled, isCommand, code }: SeenRun,
  told: string,
  { as }: SeenRecord,
): readonly string[] {
  if (isCommand) return as === "command" ? [] : [`${told} is recorded as ${as}`];
  if (as === "recovery") return isKilled || code !== 0 ? [] : [`${told} ended, and is recorded as ${as}`];
  return as === "apply" ? [] : [`${told} is recorded as ${as}`];
}
