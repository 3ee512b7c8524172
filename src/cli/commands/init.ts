import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Context } from "../context.js";
import { exit } from "../exit.js";
import { tellFindings } from "../findings.js";
import { SCHEMAS, schemaText } from "../schemas.js";
import { writeText } from "../write.js";

/** Where editors find the schemas: inside the project, so that no network is needed and everybody has the same. */
const SCHEMA_FOLDER = ".remit/schemas";
const IGNORED = [".remit/*", `!${SCHEMA_FOLDER}/`];

const PROJECT = `# yaml-language-server: $schema=${SCHEMA_FOLDER}/config.json
# A stand-in for the service, inside remit. For your tenant, write its address: https://example.conductor.one
server: sandbox
manifests: [manifests]
`;

const MANIFEST = `# yaml-language-server: $schema=../${SCHEMA_FOLDER}/template-scope.json
apiVersion: remit/v1
kind: TemplateScope
metadata:
  name: first-review
spec:
  # The id of the access review template, as its address in the tenant shows it.
  templateId: 2fsgTvxP0DVTsNXEUBI7hOe0l5B
  scope:
    userCriteria: { userStatus: [ENABLED] }
    grantsByCriteria: { daysSinceLastUsed: 90d }
`;

/** Begins a project in a folder, and says what was written and what to do next. */
export default async function init(this: Context, _flags: Record<never, never>, folder = "."): Promise<void> {
  const { world } = this;
  const root = resolve(world.cwd, folder);
  const shown = relative(world.cwd, root);
  const show = (path: string) => join(shown, path).replaceAll("\\", "/");
  const files = new Map([
    ["remit.yaml", PROJECT],
    ["manifests/first-review.yaml", MANIFEST],
  ]);
  const taken = [...files.keys()].filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) {
    tellFindings(
      world,
      world.stderr,
      taken.map((path) => isTaken(show(path))),
    );
    this.process.exitCode = exit.error;
    return;
  }
  for (const each of SCHEMAS.values())
    if (each.isForEditors) await writeText(join(root, SCHEMA_FOLDER, each.file), schemaText(each));
  for (const [path, text] of files) {
    await writeText(join(root, path), text);
    world.stdout.write(`wrote ${show(path)}\n`);
  }
  world.stdout.write(
    `wrote ${show(SCHEMA_FOLDER)}/, which your editor completes and checks manifests with\n`,
  );
  if (await ignore(join(root, ".gitignore")))
    world.stdout.write(`added ${IGNORED.join(" and ")} to ${show(".gitignore")}\n`);
  const go = shown === "" ? "" : `  cd ${shown}\n`;
  world.stdout.write(
    `\nNext:\n${go}  remit plan    shows what the manifest would change in the sandbox\n  remit apply   makes it so\n`,
  );
}

function isTaken(path: string): Diagnostic {
  return {
    code: "command/already-there",
    severity: "error",
    message: `${path} is there already, and is left as it is`,
    hint: "Name another folder: remit init FOLDER.",
  };
}

/** Adds what a repository should not hold to its .gitignore, where it is not yet there. */
async function ignore(path: string): Promise<boolean> {
  const before = existsSync(path) ? await readFile(path, "utf8") : "";
  const lines = before.split(/\r?\n/);
  const missing = IGNORED.filter((line) => !lines.includes(line));
  if (missing.length === 0) return false;
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await writeText(path, `${before}${gap}${missing.join("\n")}\n`);
  return true;
}
