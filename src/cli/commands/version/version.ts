import packageFile from "../../../../package.json" with { type: "json" };
import type { Context } from "../../commandLine/context.js";

/** Prints the version, and with `--verbose` what it runs on. */
export default function version(this: Context, flags: { readonly verbose: boolean }): void {
  const { node, arch } = this.world.process;
  this.world.stdout.write(`remit ${packageFile.version}${flags.verbose ? `\nnode ${node} ${arch}` : ""}\n`);
}
