import { resolve } from "node:path";
import { codeOf } from "../../cli/exitCode.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printManifests } from "../../cli/print/manifests.js";
import type { Context } from "../../cli/run/context.js";
import { manifestPaths, openProject, readingOf } from "../../cli/settings/project.js";
import { type RenderedManifest, renderAll, type ValueReader } from "../../manifest/renderAll.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { tameLine } from "../../report/text/visible.js";
import { didYouMean, meantAddress } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import type { RenderFlags } from "./usage.js";

/** Prints manifests without named values and shapes, or the places that read a value. */
export default async function render(
  this: Context,
  { values, context }: RenderFlags,
  ...addresses: readonly string[]
): Promise<number> {
  const { world } = this;
  const { value: project, diagnostics: inSettings } = await openProject(
    world,
    context === undefined ? {} : { context },
    "intent",
  );
  // Where the settings are not known, the values of the manifests are not known either.
  if (hasErrors(inSettings)) return endWith(world, "invalid manifests", inSettings);
  const { settings, root } = project;
  const found = await renderAll({
    paths: manifestPaths(world, project, []),
    ...readingOf(project),
    tests: settings.tests.value.map((path) => resolve(root, path)),
    guards: settings.ownGuards.value.map((path) => resolve(root, path)),
  });
  const diagnostics = [...inSettings, ...found.diagnostics];
  if (hasErrors(diagnostics)) return endWith(world, "invalid manifests", diagnostics);
  printDiagnostics(world, diagnostics);
  const { names } = found;
  if (values !== undefined && !names.includes(values)) {
    const listed = names.length === 0 ? undefined : `The names are ${names.slice(0, 10).join(", ")}.`;
    const hint = didYouMean(values, names) ?? listed;
    return endWith(world, "not found", [say("value/unknown#unknownValue", { name: values }, { hint })]);
  }
  if (values !== undefined) {
    world.stdout.write(readersOf(values, found.readers));
    return codeOf("done");
  }
  const chosen = chosenAmong(found.manifests, addresses);
  if (chosen.diagnostics.length > 0) return endWith(world, "not found", chosen.diagnostics);
  printManifests(world.stdout, chosen.manifests.map(({ text }) => text).join("---\n"));
  return codeOf("done");
}

/** The manifests that addresses name; the address of a shape names its rows. */
function chosenAmong(manifests: readonly RenderedManifest[], addresses: readonly string[]) {
  const isNamed = (wanted: string) => (one: RenderedManifest) =>
    one.address === wanted || one.address.startsWith(`${wanted}[`);
  const known = manifests.map(({ address }) => address);
  const diagnostics = addresses.flatMap((wanted): readonly Diagnostic[] => {
    if (manifests.some(isNamed(wanted))) return [];
    return [
      say(
        "command/no-such-address#manifest",
        { wanted },
        { hint: `${meantAddress(wanted, known)} Write Kind/name, or Kind/name[row].`.trim() },
      ),
    ];
  });
  const isChosen = (one: RenderedManifest) =>
    addresses.length === 0 || addresses.some((wanted) => isNamed(wanted)(one));
  return { manifests: manifests.filter(isChosen), diagnostics };
}

function readersOf(name: string, readers: readonly ValueReader[]): string {
  const lines = readers
    .filter((one) => one.name === name)
    .map(({ span }) => `${span.file}:${span.start.line}:${span.start.column}`)
    .sort();
  return lines.map((line) => `${tameLine(line)}\n`).join("");
}
