import { toText } from "../../entry/diagnostics.js";
import { ansi, type Paint, plain } from "../../entry/messages.js";
import { type Diagnostic, readVariable } from "../../entry/values.js";
import type { Output, World } from "../outside/world.js";

/** Prints diagnostics for a person on a stream. */
export function printDiagnostics(
  world: World,
  stream: Output,
  diagnostics: readonly Diagnostic[],
  verbose = false,
): void {
  stream.write(diagnosticsText(world, stream, forReader(diagnostics, verbose)));
}

const DETAILS: ReadonlySet<string> = new Set(["manifest/own-output"]);

/** The diagnostics without those that only a reader of details, with `-v`, wants to see. */
export function forReader(diagnostics: readonly Diagnostic[], verbose: boolean): readonly Diagnostic[] {
  return verbose ? diagnostics : diagnostics.filter(({ code }) => !DETAILS.has(code));
}

/** Diagnostics as text for a stream: with its colours, and wrapped at its width. */
export function diagnosticsText(world: World, stream: Output, diagnostics: readonly Diagnostic[]): string {
  const paint = paintFor(world, stream);
  return toText(diagnostics, stream.isTerminal ? { paint, columns: stream.columns } : { paint });
}

/** Colours for a terminal, unless the environment says otherwise: https://no-color.org, https://force-color.org. */
export function paintFor({ env }: World, stream: Output): Paint {
  if (readVariable(env, "NO_COLOR") !== undefined) return plain;
  return readVariable(env, "FORCE_COLOR") !== undefined || stream.isTerminal ? ansi : plain;
}
