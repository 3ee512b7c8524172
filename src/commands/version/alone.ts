import packageFile from "../../../package.json" with { type: "json" };

/** The words that ask for the version in place of a command. */
export const VERSION_FLAGS: readonly string[] = ["--version", "-V"];

/** The program and its version, as one line. */
export const VERSION_LINE = `remit ${packageFile.version}\n`;

/** Whether a command line asks for the version and for nothing else. */
export function asksVersionAlone([first, ...rest]: readonly string[]): boolean {
  return first !== undefined && rest.length === 0 && ["version", ...VERSION_FLAGS].includes(first);
}
