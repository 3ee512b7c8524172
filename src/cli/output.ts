import { resolve } from "node:path";
import { type Paint, plain } from "../report/findings/paint.js";
import { paintFor } from "./findings.js";
import type { FileReport, Format } from "./parseReport.js";
import type { World } from "./world.js";
import { writeText } from "./write.js";

/** The flags of every command that prints a result. */
export interface OutputFlags {
  readonly format: Format;
  readonly report?: readonly FileReport[];
  readonly maxBytes?: number;
  readonly linkBase?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
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

/** Prints a result on standard output, and writes it to each file a `--report` names. */
export async function show(
  world: World,
  flags: OutputFlags,
  render: Render,
  filesOnly = false,
): Promise<void> {
  const look: Look = {
    columns: world.stdout.columns,
    paint: paintFor(world, world.stdout, flags.color),
    maxBytes: flags.maxBytes ?? null,
    linkBase: flags.linkBase ?? null,
  };
  if (!filesOnly) world.stdout.write(render(flags.format, look));
  for (const { format, file } of flags.report ?? [])
    await writeText(resolve(world.cwd, file), render(format, { ...look, columns: PAGE, paint: plain }));
}
