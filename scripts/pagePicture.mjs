// Draws docs/plan-html.png: the page of the plan of examples/quarterly-review, in a real browser, with its first change open:
// npm run build, then node scripts/pagePicture.mjs. Needs Debian's package chromium.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "remit-page-"));
try {
  cpSync(join(root, "examples", "quarterly-review"), folder, { recursive: true });
  execFileSync(
    process.execPath,
    [join(root, "dist", "remit.js"), "plan", "-q", "--report", "html=plan.html"],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const page = await browser.newPage({ viewport: { width: 1000, height: 760 } });
  await page.goto(pathToFileURL(join(folder, "plan.html")).href);
  await page.locator("summary").first().click();
  await page.screenshot({ path: join(root, "docs", "plan-html.png") });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
