// Gives the command the pages of the documentation, which it prints where no folder is beside it.
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { loadOnce } from "./bundleModule.mjs";

/** The module of the command that reads pages from their folder. */
const READER = "src/commands/docs/pages.ts";

/**
 * The plugin that puts the pages, in little room, in the place of what reads them.
 * @param {string} root of the project
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function broughtPages(root) {
  /** @type {typeof import("../src/commands/docs/pages.js")} */
  const { pages } = await loadOnce(READER);
  const packed = deflateRawSync(JSON.stringify([...pages(join(root, "docs"))])).toString("base64");
  const contents = `import { inflateRawSync } from "node:zlib";
const PAGES = "${packed}";
export const pages = () => new Map(JSON.parse(inflateRawSync(Buffer.from(PAGES, "base64")).toString()));`;
  return {
    name: "brought pages",
    setup({ onLoad }) {
      onLoad({ filter: /\/commands\/docs\/pages\.ts$/ }, () => ({ contents }));
    },
  };
}
