import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { BadFile } from "../sandbox/document.js";
import { parseFaults } from "../sandbox/faults/flag.js";
import { type FaultPlan, NO_FAULTS, readFaults } from "../sandbox/faults/plan.js";
import { Unreadable } from "../sandbox/reading.js";
import { readSeed, type Seed } from "../sandbox/seed.js";
import { type Sandbox, startSandbox } from "../sandbox/server.js";
import { EMPTY_TENANT } from "../sandbox/tenant.js";
import type { Project } from "./project.js";
import { reasonOf } from "./write.js";

/** Starts the embedded service for this run; what it holds is kept beside the state from run to run. */
export async function startEmbedded({ root, settings }: Project): Promise<Checked<Sandbox | null>> {
  const { seed, faults, interface: spoken } = settings.sandbox.value;
  try {
    const tenant = seedOf(seed, root);
    const sandbox = await startSandbox({
      interface: spoken,
      tenant: tenant.tenant,
      auth: { clients: tenant.clients },
      dataFile: join(root, ".remit", "sandbox.json"),
      faults: faultsOf(faults, root),
    });
    return { value: sandbox, diagnostics: [] };
  } catch (error) {
    const diagnostics = findingsOf(error, settings.sandbox.from);
    if (diagnostics === null) throw error;
    return { value: null, diagnostics };
  }
}

function seedOf(file: string | null, root: string): Seed {
  if (file === null) return { tenant: EMPTY_TENANT, clients: [] };
  return readSeed(readFileSync(resolve(root, file), "utf8"), file);
}

function faultsOf(faults: string | null, root: string): FaultPlan {
  if (faults === null) return NO_FAULTS;
  const path = resolve(root, faults);
  return existsSync(path) ? readFaults(readFileSync(path, "utf8"), faults) : parseFaults(faults);
}

function findingsOf(error: unknown, from: string): readonly Diagnostic[] | null {
  if (error instanceof BadFile) return error.diagnostics;
  const why = reasonFor(error);
  if (why === null) return null;
  return [
    {
      code: "config/sandbox",
      severity: "error",
      message: `the sandbox cannot be started: ${why}`,
      hint: `It is described in ${from}.`,
    },
  ];
}

function reasonFor(error: unknown): string | null {
  if (error instanceof Unreadable) return error.message;
  if (!(error instanceof Error) || !("code" in error)) return null;
  const path = "path" in error ? `${basename(String(error.path))}: ` : "";
  return `${path}${reasonOf(String(error.code))}`;
}
