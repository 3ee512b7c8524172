import packageFile from "../../../package.json" with { type: "json" };
import { exampleFiles, type StartingFile } from "./exampleFiles.js";
import type { ExampleName } from "./exampleNames.js";
import { PUBLISHED } from "./pipelines.js";

/** An example as a project of its own: its files name the schemas in that folder, and its README the published documents. */
export function projectLike(example: ExampleName, schemas: string): readonly StartingFile[] {
  const docs = `https://github.com/${PUBLISHED}/blob/v${packageFile.version}/docs/`;
  return exampleFiles(example)
    .filter(({ path }) => path !== ".gitignore")
    .map(({ path, text }) => ({
      path,
      text: path.endsWith(".md")
        ? text.replaceAll("](../../docs/", `](${docs}`)
        : text.replaceAll(/^(# yaml-language-server: \$schema=(?:\.\.\/)*)schemas\//gm, `$1${schemas}/`),
    }));
}
