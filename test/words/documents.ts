import type { Text } from "./texts.js";

/** The prose of a page of Markdown, paragraph by paragraph; code and headings' marks are left out. */
export function textsOfPage(path: string, page: string): readonly Text[] {
  const blank = (code: string) => code.replace(/[^\n]/g, "");
  const prose = page.replace(/```[\s\S]*?```/g, blank).replace(/<!--[\s\S]*?-->/g, blank);
  return paragraphs(path, prose.split("\n"));
}

/** The descriptions and titles of a JSON Schema, wherever they are in it. */
export function textsOfSchema(path: string, schema: string): readonly Text[] {
  const lines = schema.split("\n");
  return lines.flatMap((line, at) => {
    const met =
      /^\s*"(?:description|title|markdownDescription|doNotSuggest|x-says)": ("(?:[^"\\]|\\.)*"),?$/.exec(
        line,
      );
    return met?.[1] === undefined ? [] : [{ path, line: at + 1, words: JSON.parse(met[1]) as string }];
  });
}

/** The comments of a YAML file, paragraph by paragraph, and the descriptions in it. */
export function textsOfYaml(path: string, yaml: string): readonly Text[] {
  const lines = yaml.split("\n");
  const comments = lines.map((line) => /^\s*#(?! yaml-language-server:)\s?(.*)$/.exec(line)?.[1] ?? "");
  const descriptions = lines.map((line) => /^\s*(?:- )?description: (.*)$/.exec(line)?.[1] ?? "");
  const lone = descriptions
    .map((words, at) => ({ path, line: at + 1, words }))
    .filter(({ words }) => words !== "");
  return [...paragraphs(path, comments), ...lone];
}

/** What a golden run printed, line by line, without the excerpts of manifests in it. */
export function textsOfRun(path: string, run: string): readonly Text[] {
  const from = run.indexOf("────");
  const shown = run.slice(0, from).split("\n").length - 1;
  return run
    .split("\n")
    .map((line, at) => ({ path, line: at + 1, words: line.replace(ANSI, "") }))
    .filter(({ line, words }) => line > shown && words.trim() !== "" && !/^\s*\d*\s*[│┌┃]/.test(words));
}

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

function paragraphs(path: string, lines: readonly string[]): readonly Text[] {
  const found: { path: string; line: number; words: string }[] = [];
  let open = false;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") open = false;
    else if (open)
      found[found.length - 1] = { ...(found.at(-1) as Text), words: `${found.at(-1)?.words}\n${line}` };
    else {
      found.push({ path, line: at + 1, words: line });
      open = true;
    }
  }
  return found;
}
