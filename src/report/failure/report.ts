import type { Diagnostic } from "../../model/diagnostic.js";

/** Why a plan was not made, or why an apply did not begin: the tenant was not changed. */
export interface FailureReport {
  readonly formatVersion: 1;
  readonly command: "plan" | "apply";
  /** `invalid`: the manifests or the settings have errors; `refused`: remit would not go on; `waiting`: it is made after a merge; `failed`: anything else. */
  readonly failure: "failed" | "refused" | "invalid" | "waiting";
  /** The exit code of the run. */
  readonly exitCode: number;
  /** The tenant's server; null where none was named that can be used. */
  readonly server: string | null;
  /** The context of the run; absent where the project has none, or none was chosen. */
  readonly context?: string;
  /** The commit that was checked out, without any change; null where it is not known. */
  readonly commit: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The failure in one sentence. */
export function sentenceOf({ command, failure, exitCode }: FailureReport): string {
  const what = {
    waiting: `The ${command} is made after the merge`,
    failed: `The ${command} failed`,
    refused: `The ${command} was refused`,
    invalid: `The ${command} failed: the manifests or the settings are invalid`,
  }[failure];
  return `${what}. The tenant was not changed (exit code ${exitCode}).`;
}
