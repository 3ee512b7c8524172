import { codeOf } from "../../cli/exitCode.js";
import type { Context } from "../../cli/run/context.js";
import { VERSION_LINE } from "./alone.js";

/** Prints the version, and with `--verbose` what it runs on. */
export default function version(this: Context, flags: { readonly verbose: boolean }): number {
  const { node, arch } = this.world.process;
  this.world.stdout.write(flags.verbose ? `${VERSION_LINE}node ${node} ${arch}\n` : VERSION_LINE);
  return codeOf("done");
}
