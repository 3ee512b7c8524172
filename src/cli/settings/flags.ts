/** A flag that is given or not. */
export const isGiven = (brief: string) =>
  ({ kind: "boolean", default: false, withNegated: false, brief }) as const;

/** A flag with a text. */
export const text = (placeholder: string, brief: string) => read(String, placeholder, brief);

/** A flag with a text, which may be given several times. */
export const texts = (placeholder: string, brief: string) =>
  ({ ...text(placeholder, brief), variadic: true }) as const;

/** A flag whose text is read as something else; the function throws where it is not that. */
export const read = <const V>(parse: (text: string) => V, placeholder: string, brief: string) =>
  ({ kind: "parsed", parse, optional: true, brief, placeholder }) as const;

/** A flag with one of several words, the first where it is not given. */
export const oneOf = <const W extends string>(values: readonly [W, ...W[]], brief: string) =>
  ({ kind: "enum", values, default: values[0], brief }) as const;

/** Flags that say which tenant and state a command works with. */
export const tenantFlags = {
  server: text("url", "The tenant's address, or sandbox"),
  context: text("name", "Which context of remit.yaml it is about"),
  interface: {
    kind: "enum",
    values: ["auto", "full", "core"],
    brief: "What the server offers",
    optional: true,
  },
  settingsFrom: text("ref", "The commit or file whose settings are in force"),
  state: text("place", "Where the state is: a file, or a store's address"),
  concurrency: read(whole(1, 500), "n", "The most calls at the same time"),
} as const;

/** The flags that are settings; for a missing one, the environment and the project file are read. */
export type SettingFlags = FlagsOf<typeof tenantFlags>;

/** What a command line gives a command, by the table of its flags. */
export type FlagsOf<T> = {
  readonly [N in keyof T as T[N] extends { readonly optional: true } ? never : N]: ValueOf<T[N]>;
} & {
  readonly [N in keyof T as T[N] extends { readonly optional: true } ? N : never]?: ValueOf<T[N]>;
};

type ValueOf<F> = F extends { readonly variadic: string | true; readonly parse: (text: string) => infer V }
  ? readonly V[]
  : F extends { readonly parse: (text: string) => infer V }
    ? V
    : F extends { readonly values: readonly (infer V)[] }
      ? V
      : boolean;

/** Reads a whole number between two bounds. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Error(
      most === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${least} is needed`
        : `a whole number from ${least} to ${most} is needed`,
    );
  };
}

/** Reads a moment as milliseconds; throws if it has no form of one. Without a zone, each machine would read another one. */
export function parseMoment(text: string): number {
  return momentIn(text, MOMENT, "a time such as 2026-01-31T12:00:00Z is needed");
}

/** The same, or a day, which stands for its beginning in UTC. */
export function parseDay(text: string): number {
  return momentIn(text, DAY, "a day such as 2026-07-01 is needed, or a time such as 2026-07-01T08:00:00Z");
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;
const DAY = new RegExp(`^\\d{4}-\\d\\d-\\d\\d$|${MOMENT.source}`, "i");

function momentIn(text: string, form: RegExp, needed: string): number {
  const at = Date.parse(text);
  if (form.test(text) && !Number.isNaN(at)) return at;
  throw new Error(needed);
}
