import { tameLines } from "../../report/text/visible.js";
import type { Output } from "../world/world.js";

/** Prints YAML text: a file gets every byte as it is, and a terminal obeys nothing of it. */
export function printManifests(stdout: Output, text: string): void {
  stdout.write(stdout.isTerminal ? tameLines(text).join("\n") : text);
}
