// Puts off what the package string-width makes when it is loaded, though only text that is not ASCII needs it. The
// pattern of all emoji and the segmenter take a third as long as a start of node.
import { readFileSync } from "node:fs";

const MODULE = /\/string-width\/index\.js$/;

/** What is made when it is first used, and the one method that is used of it. `only`: the texts that it has an answer for. */
const LATE = {
  segmenter: { method: "segment", only: null },
  // Each emoji has one of these; no sign does that remit draws with.
  rgiEmojiRegex: {
    method: "test",
    only: String.raw`/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20E3]/u`,
  },
};

/**
 * The plugin that does so.
 * @type {import("esbuild").Plugin}
 */
export const lateWidths = {
  name: "late widths",
  setup({ onLoad }) {
    onLoad({ filter: MODULE }, ({ path }) => ({ contents: madeLate(readFileSync(path, "utf8")) }));
  },
};

/** The module with its costly constants made when they are first used; throws where it uses them in another way. */
export function madeLate(text) {
  const code = text.replaceAll(/\/\/.*$/gm, "");
  return Object.entries(LATE).reduce((before, [name, { method, only }]) => {
    const line = new RegExp(`^const ${name} = (.+);$`, "m");
    const places = code.split(new RegExp(`\\b${name}\\b`)).slice(1);
    const isKnown = (after) => after.startsWith(" = ") || after.startsWith(`.${method}(`);
    if (!line.test(before) || !places.every(isKnown)) throw new Error(`string-width uses ${name} otherwise`);
    const first = only === null ? "" : `${only}.test(text) && `;
    const late = (_, made) =>
      `let ${name}Made;\nconst ${name} = { ${method}: (text) => ${first}(${name}Made ??= ${made}).${method}(text) };`;
    return before.replace(line, late);
  }, text);
}
