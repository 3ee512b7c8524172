import { type FlagsOf, read, text } from "./flag.js";
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
