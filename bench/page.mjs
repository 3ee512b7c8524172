// The page of a plan of 5,000 changes in a real browser: its size, when it is on the screen, and the time of each key in
// the search. Each time stands beside its bound. Needs Debian's package chromium.
// node bench/page.mjs [--json]
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median } from "./figure.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAM = "/usr/bin/chromium";
const CHANGES = 5000;
/** More than fit on a page with all their details. */
const MANY_CHANGES = 10_000;
const MOST_BYTES = 3_000_000;
const ON_SCREEN = 1000;
const PER_KEY = 100;
const KEYS = ["t", "te", "tea", "team", "team-", "team-4", "team-49", "team-499"];

/** Every figure of this benchmark, beside its bound: `{ figure, value, unit, bound, ratio, ok }`. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(PROGRAM)) {
    console.log("page: skipped: install Debian's package chromium");
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "remit-bench-"));
  try {
    const [file, large] = await writePages(folder, [CHANGES, MANY_CHANGES]);
    const [bytes, most] = [file, large].map((one) => statSync(one).size);
    const rounds = [];
    const browser = await chromium.launch({
      executablePath: PROGRAM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    for (let round = 0; round < (quick ? 3 : 7); round++) rounds.push(await measure(browser, file));
    await browser.close();
    const [screen, key] = [median(rounds.map(({ screen }) => screen)), median(rounds.map(({ key }) => key))];
    return [
      row("page of 5,000 changes", bytes / 1e6, "MB", MOST_BYTES / 1e6),
      row("page of 10,000 changes", most / 1e6, "MB", MOST_BYTES / 1e6),
      row("on the screen", screen, "ms", ON_SCREEN),
      row("slowest key", key, "ms", PER_KEY),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(pathToFileURL(file).href);
  const screen = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const read = () => {
          const [paint] = performance.getEntriesByName("first-contentful-paint");
          paint === undefined ? setTimeout(read, 5) : resolve(paint.startTime);
        };
        read();
      }),
  );
  const key = await page.evaluate(async (keys) => {
    const search = document.querySelector("input");
    if (search === null) throw new Error("the page has no search");
    let slowest = 0;
    for (const text of keys) {
      const from = performance.now();
      search.value = text;
      search.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      slowest = Math.max(slowest, performance.now() - from);
    }
    return slowest;
  }, KEYS);
  await page.close();
  return { screen, key };
}

async function writePages(folder, counts) {
  const bundles = mkdtempSync(join(ROOT, "node_modules", ".bench-"));
  try {
    /** @type {typeof import("../test/report/html/pages.js")} */
    const { pageFor, planOf } = await loadModule("test/report/html/pages.ts", bundles);
    const files = counts.map((count) => join(folder, `plan-${count}.html`));
    for (const [at, file] of files.entries()) writeFileSync(file, await pageFor(planOf(counts[at])));
    return files;
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
}

function row(figure, value, unit, bound) {
  return {
    figure,
    value: Math.round(value * 100) / 100,
    unit,
    bound,
    ratio: value / bound,
    ok: value <= bound,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await figures({ quick: process.argv.includes("--quick") });
  if (process.argv.includes("--json")) console.log(JSON.stringify(rows, null, 2));
  else
    for (const { figure, value, unit, bound } of rows)
      console.log(`${figure.padEnd(24)} ${value} ${unit} (bound ${bound})`);
}
