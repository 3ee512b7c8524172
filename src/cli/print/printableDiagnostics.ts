import type { Diagnostic } from "../../model/diagnostic.js";
import { render } from "../../report/forms/table.js";
import type { World } from "../world/world.js";
import type { Printable } from "./show.js";

/**
 * Diagnostics that are the result of a command, as any format prints them. `passed` are checks that found nothing: only a
 * report of JUnit names them.
 */
export function printableDiagnostics(
  diagnostics: readonly Diagnostic[],
  { stdout: { isTerminal } }: Pick<World, "stdout">,
  exitCode: number,
  passed: readonly Diagnostic[] = [],
): Printable {
  return {
    hasSigns: false,
    exitCode,
    // A program that reads lines finds each diagnostic on one of its own.
    render: (form, { columns, ...options }) =>
      render(form, "diagnostics", form === "junit" ? [...diagnostics, ...passed] : diagnostics, {
        ...options,
        columns: isTerminal ? columns : Infinity,
      }),
  };
}
