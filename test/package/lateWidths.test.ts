import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import stringWidth from "string-width";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const { lateWidths, madeLate } = (await import(join(ROOT, "scripts", "lateWidths.mjs"))) as {
  lateWidths: import("esbuild").Plugin;
  madeLate(text: string, from: string): string;
};

// biome-ignore lint/complexity/useRegexLiterals: the target of the types does not know the flag.
const RGI_EMOJI = new RegExp("^\\p{RGI_Emoji}$", "v");
/** Whatever that pattern takes begins so. */
const EMOJI = /\p{Emoji}/u;

test("the package gives the same widths when it makes its patterns late", async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'module.exports = require("string-width").default;', resolveDir: ROOT },
    bundle: true,
    write: false,
    plugins: [lateWidths],
    format: "cjs",
    target: "node20.19",
  });
  const module = { exports: stringWidth };
  new Function("module", "exports", outputFiles[0]?.text ?? "")(module, {});
  const late = module.exports;
  expect(late).not.toBe(stringWidth);
  const texts = [
    "",
    "plain",
    "é›│",
    "漢字",
    "👍🏽",
    "👩‍👩‍👧",
    "1️⃣",
    "🇨🇭",
    "e\u0301",
    "\u001b[1mbold\u001b[0m",
    "각",
    "ｶﾞ",
  ];
  expect(texts.map((text) => late(text))).toEqual(texts.map((text) => stringWidth(text)));
  // One after the other: a million texts at once cost a large worker most of a minute.
  const emoji: string[] = [];
  for (let at = 0; at < 0x11_0000; at += 1) {
    const one = String.fromCodePoint(at);
    if (EMOJI.test(one)) emoji.push(...[one, `${one}\ufe0f`].filter((text) => RGI_EMOJI.test(text)));
  }
  expect(emoji.length).toBeGreaterThan(1_000);
  expect(emoji.filter((one) => late(one) !== 2)).toEqual([]);
});

test.each([
  ["string-width", "segmenter"],
  ["string-width", "rgiEmojiRegex"],
  ["wrap-ansi", "segmenter"],
])("%s is not bundled if it uses %s otherwise", (from, name) => {
  const text = readFileSync(createRequire(import.meta.url).resolve(from), "utf8");
  expect(madeLate(text, from)).not.toBe(text);
  const says = `${from} uses ${name} otherwise`;
  expect(() => madeLate(`${text}\nexport { ${name} };`, from)).toThrow(says);
  expect(() => madeLate(text.replace(`const ${name}`, `let ${name}`), from)).toThrow(says);
});
