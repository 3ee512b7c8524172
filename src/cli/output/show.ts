import { resolve } from "node:path";
import { type Paint, plain } from "../../entry/messages.js";
import type { Diagnostic } from "../../entry/values.js";
import type { World } from "../outside/world.js";
import { tryToWrite } from "../outside/write.js";
import { paintFor } from "./findings.js";
import type { FileReport, Format } from "./parseReport.js";

/** The flags of every command that prints a result. */
export interface OutputFlags {
  readonly format: Format;
  readonly report?: readonly FileReport[];
  readonly maxBytes?: number;
  readonly linkBase?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Heeded before the command begins. */
  readonly color?: boolean;
}

/** How a result is to look, for whoever renders it. */
export interface Look {
  readonly columns: number;
  readonly paint: Paint;
  readonly maxBytes: number | null;
  readonly linkBase: string | null;
}

/** Columns of a text in a file. */
const PAGE = 100;

/** Gives a result in one form. */
export type Render = (format: Format, look: Look) => string;

/** Prints a result on standard output, and writes it to each file a `--report` names; gives what stood in the way. */
export async function show(
  world: World,
  flags: OutputFlags,
  render: Render,
  filesOnly = false,
): Promise<readonly Diagnostic[]> {
  const look: Look = {
    columns: world.stdout.columns,
    paint: paintFor(world, world.stdout),
    maxBytes: flags.maxBytes ?? null,
    linkBase: flags.linkBase ?? null,
  };
  if (!filesOnly) world.stdout.write(render(flags.format, look));
  const faults: Diagnostic[] = [];
  for (const { format, file } of flags.report ?? []) {
    const text = render(format, { ...look, columns: PAGE, paint: plain });
    const path = resolve(world.cwd, file);
    faults.push(...(await tryToWrite(world, { path, shown: file, text, access: "open" })));
  }
  return faults;
}
