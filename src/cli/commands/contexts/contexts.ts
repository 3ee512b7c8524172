import { hasErrors } from "../../../model/diagnostic.js";
import { publicServer } from "../../../plan/server.js";
import { safeJson } from "../../../report/text/safeJson.js";
import { shownAddress } from "../../../state/address.js";
import { codeOf } from "../../exitCode.js";
import { columns } from "../../print/columns.js";
import { printDiagnostics } from "../../print/diagnostics.js";
import type { Context } from "../../run/context.js";
import { openProject } from "../../settings/project.js";
import { githubMatrix, gitlabMatrix, type ListedContext } from "./pipelines.js";

/** The flags of `remit contexts`. */
export interface ContextsFlags {
  readonly format: "text" | "json" | "github" | "gitlab";
  readonly settingsFrom?: string;
  /** Read before the command starts. */
  readonly color?: boolean;
}

/** Prints the contexts of the settings in force. */
export default async function contexts(this: Context, flags: ContextsFlags): Promise<void> {
  const { world } = this;
  const { value: project, diagnostics } = await openProject(world, flags, "in force", "none");
  const listed = project.tenants.map(({ context: name, server, state }): ListedContext => {
    const shown = server.value === null ? null : publicServer(server.value);
    return { name, server: shown, state: shownAddress(state.value) };
  });
  printDiagnostics(world, world.stderr, diagnostics);
  if (hasErrors(diagnostics)) {
    this.process.exitCode = codeOf("invalid settings");
    return;
  }
  if (flags.format === "text" && listed.length === 0) world.stderr.write("This project has no contexts.\n");
  world.stdout.write(FORMATS[flags.format](listed));
}

const FORMATS: Readonly<Record<ContextsFlags["format"], (listed: readonly ListedContext[]) => string>> = {
  text: (listed) =>
    listed.length === 0
      ? ""
      : columns([
          ["CONTEXT", "SERVER", "STATE"],
          ...listed.map(({ name, server, state }) => [name, server ?? "none", state]),
        ]),
  json: (listed) => safeJson(`${JSON.stringify({ contexts: listed }, null, 2)}\n`),
  github: githubMatrix,
  gitlab: gitlabMatrix,
};
