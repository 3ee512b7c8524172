// The page of every command, as `--help` prints it.
import { loadModule } from "./bundleModule.mjs";

/**
 * The page, from the same texts as `--help`.
 * @param {string} folder where modules are bundled
 */
export async function commandsText(folder) {
  const { makeApplication } = await loadModule("src/bin/application.ts", folder);
  const { helpPage } = await loadModule("src/bin/help.ts", folder);
  const pages = pagesOf(makeApplication({}).root, ["remit"]);
  const sections = pages.map(([prefix, target]) => {
    return `## ${prefix.join(" ")}\n\n\`\`\`text\n${helpPage(target, prefix)}\`\`\``;
  });
  return `<!-- Written by \`npm run docs\` from the texts of \`--help\`. -->\n\n# Commands\n\n${sections.join("\n\n")}\n`;
}

/** A group of commands, and every command in it. */
function pagesOf(target, prefix) {
  const inner = "getAllEntries" in target ? target.getAllEntries().filter(({ hidden }) => !hidden) : [];
  return [
    [prefix, target],
    ...inner.flatMap((entry) => pagesOf(entry.target, [...prefix, entry.name["convert-camel-to-kebab"]])),
  ];
}
