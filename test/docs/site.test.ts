import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kindPages, SECTIONS } from "../../site/pages.js";

const ROOT = join(import.meta.dirname, "..", "..");
const out = mkdtempSync(join(tmpdir(), "remit-site-"));

/** The files of a folder, below it, by an ending; the notes about the service are not part of the site. */
function files(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(ending) && !path.startsWith("service/"));
}

let pages: ReadonlyMap<string, string>;
beforeAll(() => {
  execFileSync(
    process.execPath,
    ["node_modules/vitepress/bin/vitepress.js", "build", "site", "--outDir", out],
    {
      cwd: ROOT,
      stdio: "pipe",
    },
  );
  pages = new Map(
    files(out, ".html").map((path) => [
      `/${path.replace(/(?:^|(?<=\/))index\.html$|\.html$/, "")}`,
      readFileSync(join(out, path), "utf8"),
    ]),
  );
});
afterAll(() => rmSync(out, { recursive: true }));

it("has a page for each document, and lists it once in the menu", () => {
  const documents = files(join(ROOT, "docs"), ".md").map((path) => path.replace(/\.md$/, ""));
  const listed = [
    ...SECTIONS.flatMap(({ pages }) => pages.map(([page]) => page)),
    ...kindPages(join(ROOT, "docs", "kinds")).map(({ link }) => link.slice(1)),
  ];
  const wanted = documents.filter((page) => page !== "README").map((page) => page.replace(/README$/, ""));
  expect([...listed].sort()).toEqual([...wanted].sort());
  expect(wanted.filter((page) => !pages.has(`/${page}`))).toEqual([]);
});

it("has no link that leads nowhere, to a page or to a heading", () => {
  const dead: string[] = [];
  for (const [page, html] of pages)
    for (const [, target = ""] of html.matchAll(/href="((?:\/|#)[^"]*)"/g)) {
      const [path = "", heading = ""] = target.split("#");
      if (/\.\w+$/.test(path)) continue;
      const there = path === "" ? html : pages.get(path);
      const isThere = there?.includes(heading === "" ? "" : `id="${decodeURIComponent(heading)}"`) === true;
      if (!isThere) dead.push(`${page}: ${target}`);
    }
  expect([...new Set(dead)]).toEqual([]);
});
