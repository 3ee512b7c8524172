/** Flags that say which tenant and state a command works with. */
export const tenantFlags = {
  server: {
    kind: "parsed",
    parse: String,
    brief: "The tenant's address, or sandbox",
    optional: true,
    placeholder: "url",
  },
  context: {
    kind: "parsed",
    parse: String,
    brief: "Which context of remit.yaml it is about",
    optional: true,
    placeholder: "name",
  },
  interface: {
    kind: "enum",
    values: ["auto", "full", "core"],
    brief: "What the server offers",
    optional: true,
  },
  settingsFrom: {
    kind: "parsed",
    parse: String,
    brief: "The commit or file whose settings are in force",
    optional: true,
    placeholder: "ref",
  },
  state: {
    kind: "parsed",
    parse: String,
    brief: "Where the state is: a file, or a store's address",
    optional: true,
    placeholder: "place",
  },
  concurrency: {
    kind: "parsed",
    parse: whole(1, 500),
    brief: "The most calls at the same time",
    optional: true,
    placeholder: "n",
  },
} as const;

/** The flags that are settings; for a missing one, the environment and the project file are read. */
export type SettingFlags = {
  readonly [N in keyof typeof tenantFlags]?: FlagValue<(typeof tenantFlags)[N]>;
};

type FlagValue<F> = F extends { readonly parse: (text: string) => infer V }
  ? V
  : F extends { readonly values: readonly (infer V)[] }
    ? V
    : never;

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
