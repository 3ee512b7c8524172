import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, RouteMap } from "@stricli/core";
import { expect, test } from "vitest";
import { makeApplication } from "../../src/bin/application.js";
import type { Context } from "../../src/cli/run/context.js";

const ROOT = join(import.meta.dirname, "..", "..");

/** Flags that `remit` itself takes, before or after a command. */
const OWN: readonly string[] = ["--help", "--version"];

/** Code that shows a mistake, or that is a name and no command line: a status of a forge. */
const NO_LINES: readonly string[] = ["plan --offlin", "manual", "drift"];

/** The command lines of a document: those in code blocks, and those in a text as code. */
function linesOf(text: string): readonly string[] {
  const [words = [], blocks = []] = [0, 1].map((part) =>
    text.split(/^ *```.*$/m).filter((_, at) => at % 2 === part),
  );
  const lines = [
    ...blocks.join("\n").matchAll(/^ *(?:\$ )?remit (.+)$/gm),
    ...words.join("\n").matchAll(/`remit ([^`]+)`/g),
  ].map(([, line = ""]) => line.split(/ +#| [|&>;]|\n/)[0] ?? "");
  return lines.filter((line) => !NO_LINES.includes(line));
}

/** What a command line names that remit does not have. */
function unknownIn(line: string): readonly string[] {
  const words = line.split(/\s+/).map((word) => word.replace(/[),.:…]+$/, ""));
  let target: Command<Context> | RouteMap<Context> = makeApplication({}).root;
  while ("getAllEntries" in target) {
    const word = words.shift();
    if (word === undefined || !/^[a-z]/.test(word)) return [];
    const entry = target.getAllEntries().find(({ name }) => name["convert-camel-to-kebab"] === word);
    if (entry === undefined) return [word];
    target = entry.target;
  }
  const known = Object.keys(target.parameters.flags ?? {}).map(
    (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*/s, ""));
  return flags.filter(
    (flag) => ![...known, ...OWN].some((one) => one === flag || one === flag.replace(/^--no-/, "--")),
  );
}

test("each command line of a document names a command that is there, and its flags", () => {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const documents = ["README.md", "AGENTS.md", ...docs.map((file) => `docs/${file}`)];
  let lines = 0;
  const wrong = documents
    .filter((file) => file.endsWith(".md") && !file.startsWith("docs/service/"))
    .flatMap((file) =>
      linesOf(readFileSync(join(ROOT, file), "utf8")).flatMap((line) => {
        lines += 1;
        return unknownIn(line).map((word) => `${file}: ${word} in remit ${line}`);
      }),
    );
  expect(wrong).toEqual([]);
  expect(lines).toBeGreaterThan(400);
});
