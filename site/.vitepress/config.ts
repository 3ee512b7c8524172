// The site that `npm run site` makes of docs/: the pages as they are, with search.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import { kindPages, SECTIONS } from "../pages.js";

const ROOT = join(import.meta.dirname, "..", "..");
const { homepage = "", version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

type Token = Parameters<NonNullable<MarkdownRenderer["renderer"]["rules"]["text"]>>[0][number];

/** The pages about the service are notes for those who change remit. */
const LEFT_OUT = ["service/**"];

export default defineConfig({
  title: "remit",
  description: "Access-governance configuration as code: plan, review, apply.",
  lang: "en",
  // A project's pages are below the name of the repository on the forge.
  base: process.env.SITE_BASE ?? "/",
  srcDir: "../docs",
  srcExclude: LEFT_OUT,
  outDir: "dist",
  cleanUrls: true,
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      // The pages show `{{` of other tools; in code it is no template of Vue.
      const { code_inline: code } = md.renderer.rules;
      md.renderer.rules.code_inline = (tokens, at, ...rest) => {
        tokens[at]?.attrSet("v-pre", "");
        return code?.(tokens, at, ...rest) ?? "";
      };
      md.core.ruler.push("links", ({ tokens, env }) => {
        for (const { children } of tokens)
          for (const token of children ?? []) leadOut(token, env.relativePath);
      });
    },
  },
  // VitePress fails the build for a link that leads nowhere; those that leave docs/ were led out.
  ignoreDeadLinks: false,
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Kinds", link: "/kinds/" },
      { text: "Commands", link: "/commands" },
    ],
    sidebar: SECTIONS.map(({ text, pages }) => ({
      text,
      items: pages.map(([page, name]) =>
        page === "kinds/"
          ? { text: name, link: "/kinds/", collapsed: true, items: kindPages(join(ROOT, "docs", "kinds")) }
          : { text: name, link: `/${page}` },
      ),
    })),
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false },
    ...(homepage === "" ? {} : { socialLinks: [{ icon: "github", link: homepage }] }),
  },
});

/** A link to a file outside of docs/, or to what is left out of the site, leads to the repository, or is no link without one. */
function leadOut(token: Token, page: string): void {
  if (token.type !== "link_open") return;
  const href = token.attrGet("href") ?? "";
  if (/^(?:[a-z]+:|#)/.test(href)) return;
  const target = join("docs", page, "..", href);
  const isInside = target.startsWith("docs/") && !target.startsWith("docs/service/");
  if (isInside) return;
  if (homepage === "") token.attrs = token.attrs?.filter(([name]) => name !== "href") ?? null;
  else token.attrSet("href", `${homepage.replace(/#.*$/, "")}/blob/v${version}/${target}`);
}
