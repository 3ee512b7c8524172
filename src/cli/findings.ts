import type { Diagnostic } from "../model/diagnostic.js";
import { ansi, type Paint, plain } from "../report/findings/paint.js";
import { toText } from "../report/findings/text.js";
import type { Output, World } from "./world.js";

/** Tells people of findings, on a stream of theirs. */
export function tellFindings(world: World, stream: Output, diagnostics: readonly Diagnostic[]): void {
  stream.write(toText(diagnostics, { paint: paintFor(world, stream) }));
}

/** Colours for a terminal, unless the environment says otherwise: https://no-color.org, https://force-color.org. */
export function paintFor({ env }: World, stream: Output): Paint {
  const asked = (name: string) => (env[name] ?? "") !== "";
  if (asked("NO_COLOR")) return plain;
  return asked("FORCE_COLOR") || stream.isTerminal ? ansi : plain;
}
