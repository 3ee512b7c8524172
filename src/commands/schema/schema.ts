import { resolve } from "node:path";
import { writtenCode } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import type { World } from "../../cli/world/world.js";
import { tryToWrite } from "../../cli/world/write.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { wrap } from "../../report/text/layout.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { type BroughtSchema, SCHEMAS, schemaText } from "./schemas.js";
import type { SchemaFlags } from "./usage.js";

const COLUMNS = 80;

/** Prints a schema, or the list of them; with `--out`, writes them. */
export default async function schema(this: Context, { out }: SchemaFlags, name?: string): Promise<number> {
  const { stdout } = this.world;
  const asked = name === undefined ? undefined : SCHEMAS.get(name);
  let diagnostics: readonly Diagnostic[] = [];
  if (name !== undefined && asked === undefined) diagnostics = [noSuchSchema(name)];
  else if (out !== undefined) diagnostics = await writeSchemas(this.world, out, asked);
  else stdout.write(asked === undefined ? list() : schemaText(asked));
  printDiagnostics(this.world, diagnostics);
  return writtenCode(diagnostics);
}

/** Writes one schema to a file, or all of them to a folder. */
async function writeSchemas(
  world: World,
  out: string,
  one: BroughtSchema | undefined,
): Promise<readonly Diagnostic[]> {
  const write = (file: string, each: BroughtSchema) =>
    tryToWrite(world, {
      path: resolve(world.cwd, file),
      shown: file,
      text: schemaText(each),
      access: "open",
    });
  if (one !== undefined) return write(out, one);
  const diagnostics: Diagnostic[] = [];
  for (const each of SCHEMAS.values()) diagnostics.push(...(await write(`${out}/${each.file}`, each)));
  return diagnostics;
}

function list(): string {
  const width = Math.max(...[...SCHEMAS.keys()].map((name) => name.length));
  const lines = [...SCHEMAS].flatMap(([name, { schema }]) => {
    const [firstSentence = ""] = String(schema.description).split(/(?<=\.) /);
    return wrap(firstSentence, COLUMNS, `${name.padEnd(width)}  `, " ".repeat(width + 2));
  });
  return `${lines.join("\n")}\n`;
}

function noSuchSchema(name: string): Diagnostic {
  const known = [...SCHEMAS.keys()];
  return say(
    "command/no-such-schema",
    { name },
    { hint: `${didYouMean(name, known) ?? ""} The schemas are: ${known.join(" · ")}.`.trim() },
  );
}
