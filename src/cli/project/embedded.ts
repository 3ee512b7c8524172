import { join } from "node:path";
import { BadFile, type Sandbox, startSandbox } from "../../entry/sandbox.js";
import type { Checked, Clock, Diagnostic } from "../../entry/values.js";
import type { Project } from "./project.js";
import { faultsFrom, seedFrom, Unusable } from "./sandboxInput.js";

/** Starts the embedded service for this run; what it holds is kept beside the state from run to run. */
export async function startEmbedded(
  { root, settings }: Project,
  clock: Clock,
): Promise<Checked<Sandbox | null>> {
  const { seed, faults, interface: spoken } = settings.sandbox.value;
  try {
    const tenant = seedFrom(seed, root);
    const sandbox = await startSandbox({
      interface: spoken,
      tenant: tenant.tenant,
      auth: { clients: tenant.clients },
      clock,
      dataFile: join(root, ".remit", "sandbox.json"),
      faults: faultsFrom(faults, root),
    });
    return { value: sandbox, diagnostics: [] };
  } catch (error) {
    const diagnostics = findingsOf(error, settings.sandbox.from);
    if (diagnostics === null) throw error;
    return { value: null, diagnostics };
  }
}

function findingsOf(error: unknown, from: string): readonly Diagnostic[] | null {
  if (error instanceof BadFile) return error.diagnostics;
  if (!(error instanceof Unusable)) return null;
  return [
    {
      code: "config/sandbox",
      severity: "error",
      message: `the sandbox cannot be started: ${error.message}`,
      hint: `It is described in ${from}.`,
    },
  ];
}
