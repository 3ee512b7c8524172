import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { readSources } from "../../manifest/files.js";
import type { Clock } from "../../model/clock.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { type Sandbox, startSandbox } from "../../sandbox/http/server.js";
import { BadFile } from "../../sandbox/tenant/document.js";
import { say } from "../../words/say.js";
import type { Project } from "../settings/project.js";
import { withoutExcerpt } from "../settings/projectOnDisk.js";
import { linkInProject, throughLink } from "../world/links.js";
import { faultsFrom, seedFrom, Unusable } from "./sandboxInput.js";

/** Starts the embedded service for this run; its content is kept in a file beside the state. */
export async function startEmbedded(
  { root, settings, dataFolder }: Project,
  clock: Clock,
): Promise<Checked<Sandbox | null>> {
  const { seed, faults, interface: spoken } = settings.sandbox.value;
  const dataFile = join(root, dataFolder, "sandbox.json");
  const refused = await refusals(root, { seed, faults, dataFile });
  if (refused.length > 0) return { value: null, diagnostics: refused };
  try {
    const tenant = seedFrom(seed, root);
    const sandbox = await startSandbox({
      interface: spoken,
      tenant: tenant.tenant,
      auth: { clients: tenant.clients },
      clock,
      dataFile,
      faults: faultsFrom(faults, root),
    });
    return { value: sandbox, diagnostics: [] };
  } catch (error) {
    const diagnostics = findingsOf(error, settings.sandbox.from);
    if (diagnostics === null) throw error;
    return { value: null, diagnostics };
  }
}

interface Files {
  readonly seed: string | null;
  readonly faults: string | null;
  readonly dataFile: string;
}

/** Why a project's sandbox does not use a file: it is outside the project, or it is not a plain file. */
async function refusals(root: string, { seed, faults, dataFile }: Files): Promise<readonly Diagnostic[]> {
  const paths = [seed, faults].filter((path) => path !== null && existsSync(resolve(root, path)));
  const { diagnostics } = await readSources({ paths: paths as readonly string[], cwd: root });
  const link = await linkInProject(root, dataFile);
  const shown = relative(root, dataFile).split(sep).join("/");
  return [
    ...diagnostics.filter(({ severity }) => severity === "error"),
    ...(link === null ? [] : [throughLink(shown, link, root)]),
  ];
}

function findingsOf(error: unknown, from: string): readonly Diagnostic[] | null {
  // A seed is not a manifest, so its lines are not shown.
  if (error instanceof BadFile) return error.diagnostics.map(withoutExcerpt);
  if (!(error instanceof Unusable)) return null;
  return [say("config/sandbox", { message: error.message, from })];
}
