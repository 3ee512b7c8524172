import { resolve } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import type { FormOptions } from "../../entry/formats.js";
import { plain } from "../../entry/messages.js";
import type { Diagnostic } from "../../entry/values.js";
import type { World } from "../outside/world.js";
import { tryToWrite } from "../outside/write.js";
import { paintFor } from "./diagnostics.js";
import { isLegendNew, rememberLegend } from "./legend.js";
import type { FileReport, Format } from "./parseReport.js";

/** The flags of every command that prints a result. */
export interface OutputFlags {
  readonly format: Format;
  readonly report?: readonly FileReport[];
  readonly maxBytes?: number;
  readonly linkBase?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Read before the command starts. */
  readonly color?: boolean;
}

/** The columns of a text that is written to a file. */
const PAGE = 100;

/** Gives a result in one format. */
type Render = (format: Format, options: FormOptions, reader: "terminal" | "others") => Promise<string>;

/** A result that is ready to be printed. */
export interface Printable {
  readonly render: Render;
  /** Whether its text has signs, which are explained to a reader who sees them for the first time. Read only for a terminal. */
  readonly hasSigns: boolean;
}

/** Prints a result on standard output, and writes it to each file a `--report` names; gives the errors. */
export async function show(
  world: World,
  flags: OutputFlags,
  printable: Printable,
  filesOnly = false,
): Promise<readonly Diagnostic[]> {
  const { render } = printable;
  const isText = flags.format === "text" && !filesOnly && world.stdout.isTerminal;
  const legend = isText && printable.hasSigns && (await isLegendNew(world));
  const options: FormOptions = {
    columns: world.stdout.columns,
    paint: paintFor(world, world.stdout),
    legend,
    verbose: flags.verbose,
    maxBytes: flags.maxBytes ?? null,
    linkBase: flags.linkBase ?? null,
    folder: "",
    version: packageFile.version,
  };
  if (!filesOnly) world.stdout.write(await render(flags.format, options, isText ? "terminal" : "others"));
  if (legend) await rememberLegend(world);
  const diagnostics: Diagnostic[] = [];
  for (const { format, file } of flags.report ?? []) {
    const text = await render(format, { ...options, columns: PAGE, paint: plain, legend: false }, "others");
    const path = resolve(world.cwd, file);
    diagnostics.push(...(await tryToWrite(world, { path, shown: file, text, access: "private when new" })));
  }
  return diagnostics;
}
