// Puts off what packages make when they are loaded, though only text that is not ASCII needs it. The first segmenter takes
// a fifth as long as a start of node, and the pattern of all emoji a third.
import { readFileSync } from "node:fs";

const SEGMENTER = { method: "segment", only: null };
// Each emoji has one of these; no sign does that remit draws with.
const EMOJI = {
  method: "test",
  only: String.raw`/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20E3]/u`,
};
/** What is made when it is first used, and the one method that is used of it. `only`: the texts that it has an answer for. */
const LATE = {
  "string-width": { segmenter: SEGMENTER, rgiEmojiRegex: EMOJI },
  "wrap-ansi": { segmenter: SEGMENTER },
};

/**
 * The plugin that does so.
 * @type {import("esbuild").Plugin}
 */
export const lateWidths = {
  name: "late widths",
  setup({ onLoad }) {
    for (const name of Object.keys(LATE))
      onLoad({ filter: new RegExp(`/node_modules/${name}/index\\.js$`) }, ({ path }) => ({
        contents: madeLate(readFileSync(path, "utf8"), name),
      }));
  },
};

/** The module of a package with its costly constants made when they are first used; throws where it uses them in another way. */
export function madeLate(text, from) {
  const code = text.replaceAll(/\/\/.*$/gm, "");
  return Object.entries(LATE[from]).reduce((before, [name, { method, only }]) => {
    const line = new RegExp(`^const ${name} = (.+);$`, "m");
    const places = code.split(new RegExp(`\\b${name}\\b`)).slice(1);
    const isKnown = (after) => after.startsWith(" = ") || after.startsWith(`.${method}(`);
    if (!line.test(before) || !places.every(isKnown)) throw new Error(`${from} uses ${name} otherwise`);
    const first = only === null ? "" : `${only}.test(text) && `;
    const late = (_, made) =>
      `let ${name}Made;\nconst ${name} = { ${method}: (text) => ${first}(${name}Made ??= ${made}).${method}(text) };`;
    return before.replace(line, late);
  }, text);
}
