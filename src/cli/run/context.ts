import type { CommandContext } from "@stricli/core";
import type { World } from "../world/world.js";

/** What a command gets when it is called: the outside, and the place for its exit code. */
export interface Context extends CommandContext {
  readonly world: World;
  /** The command line as typed so far. */
  readonly words: readonly string[];
  readonly process: {
    readonly stdout: { write(text: string): void };
    readonly stderr: { write(text: string): void };
    exitCode?: number | string | null;
  };
}
