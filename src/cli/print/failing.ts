import { commitOf } from "../../manifest/git/git.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import type { FailureReport } from "../../report/failure/report.js";
import { render } from "../../report/forms/table.js";
import { checkServer } from "../../tenant/client/server.js";
import { failureOf } from "../exitCode.js";
import type { Project } from "../settings/project.js";
import type { World } from "../world/world.js";
import { forReader, printDiagnostics } from "./diagnostics.js";
import { type OutputFlags, type Printable, show } from "./show.js";

/** A run of a command that came to no result: why, its exit code, and the project that it is about. */
export interface RunFailure {
  readonly project: Project;
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
  { project, diagnostics, code }: RunFailure,
): Promise<number> {
  const isForPeople = flags.format === "text" || flags.json === true;
  const printable = printableFailure({
    formatVersion: 1,
    command,
    failure: failureOf(code),
    exitCode: code,
    server: serverOf(project),
    ...(project.contexts.current === null ? {} : { context: project.contexts.current }),
    commit: await commitOf(project.root, gitEnvironment(world.env)),
    diagnostics: forReader(diagnostics, flags.verbose),
  });
  const unwritten = await show(world, flags, printable, isForPeople ? "files" : "output and files");
  if (unwritten.length > 0) printDiagnostics(world, unwritten);
  return code;
}

/** The server as a plan would name it; null where none is named, or where its address cannot be used. */
function serverOf({ settings }: Project): string | null {
  const { value } = settings.server;
  if (value === null || value === "sandbox") return value;
  const checked = checkServer(value);
  return "server" in checked ? checked.server : null;
}

function printableFailure(report: FailureReport): Printable {
  const { exitCode } = report;
  return { hasSigns: false, exitCode, render: (form, options) => render(form, "failure", report, options) };
}
