// Draws what a browser shows of the plan of examples/company, in docs: its page (plan-html.png, plan-html-390.png) and its comment
// as GitHub renders it (comment.png, comment-390.png). npm run build, then node scripts/browserPictures.mjs. Needs Debian's
// package chromium.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { loadModule } from "./bundleModule.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "remit-pictures-"));
const bundles = mkdtempSync(join(root, "node_modules", ".pictures-"));
try {
  cpSync(join(root, "examples", "company"), folder, { recursive: true });
  const argv = [
    join(root, "dist", "remit.js"),
    "plan",
    "-q",
    "--out",
    "plan.json",
    "--report",
    "html=plan.html",
  ];
  execFileSync(process.execPath, argv, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const comment = await commentOf(readFileSync(join(folder, "plan.json"), "utf8"));
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  for (const width of [1000, 390]) {
    const suffix = width === 1000 ? "" : `-${width}`;
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(pathToFileURL(join(folder, "plan.html")).href);
    await page.locator("details.s > summary").first().click();
    await page.evaluate("scrollTo(0, 0)");
    await page.screenshot({ path: join(root, "docs", `plan-html${suffix}.png`) });
    // A new page: the policy of the other one would forbid the style of the comment.
    const posted = await browser.newPage({ viewport: { width, height: 900 } });
    await posted.setContent(comment);
    await posted.locator("summary").first().click();
    await posted.evaluate("scrollTo(0, 0)");
    await posted.screenshot({ path: join(root, "docs", `comment${suffix}.png`) });
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(bundles, { recursive: true, force: true });
}

/** The comment of a saved plan, as a page. */
async function commentOf(text) {
  /** @type {typeof import("./sources/comment.js")} */
  const comment = await loadModule("scripts/sources/comment.ts", bundles);
  const { asGithub, describePlan, kindNamed, renderComment, readSavedPlan, viewOf } = comment;
  const { value, diagnostics } = readSavedPlan(text);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  const { plan, effect } = value;
  /** @type {import("../src/report/forms/comment/comment.js").InComment} */
  const part = {
    as: "plan",
    name: "company@larkspur.example",
    view: viewOf(describePlan(plan, effect, kindNamed), "people"),
    linkBase: "https://github.com/larkspur/access/blob/main/",
    whole: "",
    unreviewed: null,
    uncounted: [],
  };
  return asGithub(renderComment([part], 65_000));
}
