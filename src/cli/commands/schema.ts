import { join, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Context } from "../context.js";
import { exit } from "../exit.js";
import { tellFindings } from "../findings.js";
import { SCHEMAS, schemaText } from "../schemas.js";
import { writeText } from "../write.js";

/** The flags of `remit schema`. */
export interface SchemaFlags {
  readonly out?: string;
}

/** Prints a schema, or the list of them; with `--out`, writes them. */
export default async function schema(this: Context, { out }: SchemaFlags, name?: string): Promise<void> {
  const { world } = this;
  const asked = name === undefined ? undefined : SCHEMAS.get(name);
  if (name !== undefined && asked === undefined) {
    tellFindings(world, world.stderr, [noSuchSchema(name)]);
    this.process.exitCode = exit.error;
  } else if (out !== undefined) {
    const target = resolve(world.cwd, out);
    if (asked !== undefined) await writeText(target, schemaText(asked));
    else for (const each of SCHEMAS.values()) await writeText(join(target, each.file), schemaText(each));
  } else if (asked !== undefined) {
    world.stdout.write(schemaText(asked));
  } else {
    const width = Math.max(...[...SCHEMAS.keys()].map((each) => each.length));
    for (const [each, { schema }] of SCHEMAS) {
      const [firstSentence = ""] = schema.description.split(/(?<=\.) /);
      world.stdout.write(`${each.padEnd(width)}  ${firstSentence}\n`);
    }
  }
}

function noSuchSchema(name: string): Diagnostic {
  return {
    code: "command/no-such-schema",
    severity: "error",
    message: `there is no schema called ${name}`,
    hint: `There are: ${[...SCHEMAS.keys()].join(", ")}.`,
  };
}
