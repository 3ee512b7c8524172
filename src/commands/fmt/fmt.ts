import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkedCode } from "../../cli/exitCode.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { eachContext } from "../../cli/settings/eachContext.js";
import { manifestPaths } from "../../cli/settings/project.js";
import { tryToWrite } from "../../cli/world/write.js";
import { readSources } from "../../manifest/files.js";
import { formatText, holdsManifest } from "../../manifest/format/formatText.js";
import type { Source } from "../../manifest/source.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { tameLine } from "../../report/text/visible.js";
import type { FmtFlags } from "./usage.js";

/** Formats manifests, and names those it changed or, with `--check`, would change. */
export default async function fmt(
  this: Context,
  { check, quiet }: FmtFlags,
  ...paths: readonly string[]
): Promise<number> {
  const { world } = this;
  const each = await eachContext(world, {}, "intent");
  const root = each[0]?.value.root ?? world.cwd;
  const ofProject = each.flatMap((project) => project.diagnostics);
  const sources = await readSources({
    paths: [...new Set(each.flatMap(({ value }) => manifestPaths(world, value, paths)))],
    cwd: root,
    stdin: () => world.stdin.bytes(),
  });
  const diagnostics: Diagnostic[] = [...eachOnce(ofProject), ...sources.diagnostics];
  const unwritten: Diagnostic[] = [];
  let differing = 0;
  for (const source of sources.value.filter(isOurs)) {
    const { value, diagnostics: unformattable } = formatText(source);
    diagnostics.push(...unformattable);
    if (source.file === "-" && !check) {
      if (!hasErrors(unformattable)) world.stdout.write(value);
      continue;
    }
    const path = resolve(root, source.file);
    // The text was read without its byte order mark, so the mark is removed, too.
    const before = source.file === "-" ? source.text : readFileSync(path, "utf8");
    if (unformattable.length > 0 || value === before) continue;
    differing += 1;
    const failures = check
      ? []
      : await tryToWrite(world, { path, shown: source.file, text: value, access: "open" });
    unwritten.push(...failures);
    if (failures.length === 0 && !quiet) world.stdout.write(`${tameLine(source.file)}\n`);
  }
  printDiagnostics(world, [...diagnostics, ...unwritten]);
  return checkedCode(diagnostics, unwritten, check ? differing : 0);
}

/** What every context says of the project file is one diagnostic. */
function eachOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
}

/** Only the manifests of a folder: other files have their own rules, and other programs format JSON. */
function isOurs(source: Source): boolean {
  return !source.file.toLowerCase().endsWith(".json") && (source.named || holdsManifest(source));
}
