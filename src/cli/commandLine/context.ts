import type { CommandContext } from "@stricli/core";
import type { World } from "../outside/world.js";

/** What a command is called with: the outside, and where its exit code goes. */
export interface Context extends CommandContext {
  readonly world: World;
  /** The command line, as far as it was typed. */
  readonly words: readonly string[];
  readonly process: {
    readonly stdout: { write(text: string): void };
    readonly stderr: { write(text: string): void };
    exitCode?: number | string | null;
  };
}
