import { BASH, FISH, type Shell, ZSH } from "../../cli/completion/shells.js";
import { codeOf } from "../../cli/exitCode.js";
import type { Context } from "../../cli/run/context.js";

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Prints the script with which a shell completes `remit`. */
export default function completion(this: Context, _flags: Record<never, never>, shell: Shell): number {
  this.world.stdout.write(SCRIPTS[shell]);
  return codeOf("done");
}
