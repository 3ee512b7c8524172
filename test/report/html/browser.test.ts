import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { svgOf } from "../../../src/report/forms/graph/svg.js";
import { HOSTILE } from "../../contracts/renderer.js";
import { missingChromium, startChromium } from "../../fakes/chromium.js";
import { EVERYTHING, pageFor, planOf } from "./pages.js";

const missing = missingChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The names of the rules that a page violates. */
const AXE =
  "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'], elementRef: false }).then(({ violations }) => violations.map(({ id }) => id))";

describe.skipIf(missing !== null)(`a page in a browser${missing === null ? "" : ` (${missing})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  interface Opening {
    readonly scheme?: "light" | "dark";
    readonly width?: number;
    readonly scripts?: boolean;
    /** Whether the policy of the page is left aside, so that a test can add a script. */
    readonly open?: boolean;
  }

  /** Opens a page of a file, and what the browser complains of. */
  async function opened(
    text: string,
    { scheme = "light", width = 1280, scripts = true, open = false }: Opening = {},
  ) {
    const context = await browser.newContext({
      colorScheme: scheme,
      viewport: { width, height: 900 },
      javaScriptEnabled: scripts,
      bypassCSP: open,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.route("**/*", (route) => {
      const url = route.request().url();
      if (url === "https://plan.example/") return route.fulfill({ body: text, contentType: "text/html" });
      complaints.push(`request ${url}`);
      return route.abort();
    });
    await page.goto("https://plan.example/");
    return { page, complaints, close: () => context.close() };
  }

  const shown = (page: Page) => page.locator("details.s:visible").count();

  it.each([
    ["light", 1280, 200],
    // The width and the scheme change no element, so fewer are enough here.
    ["light", 320, 60],
    ["dark", 1280, 60],
    ["dark", 320, 60],
  ] as const)("violates no rule of WCAG 2 AA: %s, %i pixels, %i changes", async (scheme, width, count) => {
    const { steps } = EVERYTHING;
    const made = { ...EVERYTHING, steps: [...steps, ...planOf(count - steps.length).steps] };
    const { page, complaints, close } = await opened(await pageFor(made), { scheme, width, open: true });
    await page.click("button[name=all]");
    await page.addScriptTag({ content: axe });
    expect(await page.evaluate(AXE)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it("asks no server, its own policy permits its script, and it has a search above 15 changes", async () => {
    for (const [changes, isSearched] of [
      [16, true],
      [15, false],
    ] as const) {
      const { page, complaints, close } = await opened(await pageFor(planOf(changes)));
      expect(await page.locator("#tools:visible").count()).toBe(isSearched ? 1 : 0);
      expect(complaints).toEqual([]);
      await close();
    }
  });

  it("is readable without scripts: no filter is shown, and each step opens", async () => {
    const { page, close } = await opened(await pageFor(planOf(16)), { scripts: false });
    expect(await page.locator("#tools").isVisible()).toBe(false);
    await page.locator("summary").nth(2).click();
    expect(await page.locator("details.s[open] ins").first().isVisible()).toBe(true);
    await close();
  });

  it("finds words anywhere in a step, and filters by action, kind, cause and label", async () => {
    const { page, close } = await opened(await pageFor(planOf(60)));
    await page.fill("input[type=search]", "team-7 employee");
    expect(await shown(page)).toBe(1);
    await page.click("button[name=reset]");
    expect(await shown(page)).toBe(60);
    await page.selectOption("select[name=cause]", "drifted");
    expect(await shown(page)).toBe(20);
    await page.selectOption("select[name=label]", "team=t3");
    expect(await shown(page)).toBe(2);
    expect(await page.locator("#count").textContent()).toBe("2 of 60 shown");
    await page.selectOption("select[name=kind]", "EntitlementAutomation");
    expect(await shown(page)).toBe(2);
    await close();
  });

  it.each(["light", "dark"] as const)(
    "shows a graph at 390 pixels, whatever its texts are: %s",
    async (scheme) => {
      const node = { lines: ["rule: a && b < c", "x".repeat(99), "\uffff"], action: "update" as const };
      const nodes = HOSTILE.map((title) => ({ ...node, title }));
      const picture = svgOf({ nodes, edges: nodes.map((_, to) => ({ from: 0, to, says: "gives" })) });
      const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>a graph</title><style>body{margin:4px}</style><main><h1>A graph</h1>${picture}</main>`;
      const { page, complaints, close } = await opened(text, { scheme, width: 390, open: true });
      await page.addScriptTag({ content: axe });
      expect(await page.evaluate(AXE)).toEqual([]);
      const isXml = "!new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')";
      expect(await page.evaluate(`(text => ${isXml})(${JSON.stringify(picture)})`)).toBe(true);
      // How wide an emoji is drawn depends on the font.
      const wide = `[...document.querySelectorAll("text")].filter((one) => {
        const { x, width } = one.getBBox();
        return /^[ -~›…\u3040-\u9fff]*$/.test(one.textContent) && x + width > 377;
      }).length`;
      expect(await page.evaluate(wide)).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it("opens the step that a link names", async () => {
    const { page, close } = await opened(await pageFor(EVERYTHING));
    await page.locator("a[href^='#TemplateScope/']").first().click();
    const step = page.locator("details.s[open]");
    await step.first().waitFor();
    expect(await step.locator(".b").getAttribute("id")).toMatch(/^TemplateScope\//);
    await close();
  });

  it("is used with the keyboard: arrows move between steps, Enter opens one", async () => {
    const { page, close } = await opened(await pageFor(planOf(5)));
    await page.locator("summary").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator("details.s").nth(2).getAttribute("open")).not.toBeNull();
    await page.keyboard.press("Home");
    expect(await page.evaluate("document.activeElement.parentElement.querySelector('.b').id")).toContain(
      "team-",
    );
    await close();
  });
});
