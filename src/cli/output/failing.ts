import { type FailureReport, render } from "../../entry/formats.js";
import type { Diagnostic } from "../../entry/values.js";
import { exit } from "../commandLine/exit.js";
import type { World } from "../outside/world.js";
import { forReader, printDiagnostics } from "./diagnostics.js";
import { type OutputFlags, type Printable, show } from "./show.js";

/** A run of a command that came to no result: why, and its exit code. */
export interface RunFailure {
  readonly diagnostics: readonly Diagnostic[];
  readonly code: number;
}

/**
 * Writes the reports of a run that came to no result, so that no earlier report stays in its place, and gives the exit
 * code. A person has read the diagnostics on standard error; a program gets them on standard output as well.
 */
export async function showFailure(
  world: World,
  command: FailureReport["command"],
  flags: OutputFlags & { readonly json?: boolean },
  { diagnostics, code }: RunFailure,
): Promise<number> {
  const isForPeople = flags.format === "text" || flags.json === true;
  const printable = printableFailure({
    formatVersion: 1,
    command,
    failure: FAILURES.get(code) ?? "failed",
    exitCode: code,
    diagnostics: forReader(diagnostics, flags.verbose),
  });
  const unwritten = await show(world, flags, printable, isForPeople ? "files" : "output and files");
  if (unwritten.length > 0) printDiagnostics(world, world.stderr, unwritten);
  return code;
}

const FAILURES: ReadonlyMap<number, FailureReport["failure"]> = new Map([
  [exit.refused, "refused"],
  [exit.invalid, "invalid"],
]);

function printableFailure(report: FailureReport): Printable {
  return { hasSigns: false, render: (form, options) => render(form, "failure", report, options) };
}
