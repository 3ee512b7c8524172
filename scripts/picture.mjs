// Draws docs/plan.svg from a real run of the company's plan: npm run build, then npm run picture
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const WIDTH = 8.4;
const LINE = 19;
const COLOURS = { 31: "red", 32: "green", 33: "yellow", 35: "purple", 36: "blue" };
const STYLE = `
svg{color-scheme:light dark}rect{fill:#f6f8fa}
text{white-space:pre;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}
.bold{font-weight:bold}.dim{fill:#59636e}.red{fill:#b3202a}.green{fill:#116329}.yellow{fill:#7d4e00}.purple{fill:#7130c7}.blue{fill:#0550ae}
@media(prefers-color-scheme:dark){rect{fill:#0d1117}text{fill:#e6edf3}
.dim{fill:#9198a1}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.purple{fill:#d2a8ff}.blue{fill:#79c0ff}}`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(root, "docs", "plan.svg"), draw(run()));

/** What a terminal of 80 columns shows of the company's first plan. */
function run() {
  const folder = mkdtempSync(join(tmpdir(), "remit-picture-"));
  try {
    cpSync(join(root, "examples", "company"), folder, { recursive: true });
    return execFileSync(process.execPath, [join(root, "dist", "remit.js"), "plan"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: "", COLUMNS: "80" },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A plan as it stands in a terminal, as a picture for a light and for a dark page. */
export function draw(plan) {
  const lines = `$ remit plan\n${plan}`.trimEnd().split("\n");
  const height = lines.length * LINE + 32;
  const rows = lines.map((line, at) => `<text x="16" y="${at * LINE + 30}">${spans(line)}</text>`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(80 * WIDTH + 32)}" height="${height}" role="img" aria-label="A plan as remit prints it">
<style>${STYLE}
</style>
<rect width="100%" height="100%" rx="8"/>
${rows}
</svg>
`;
}

/** @typedef {{ bold?: boolean, dim?: boolean, fill?: string | undefined }} Style */

/** One line with its colours. It knows the codes that a plan at a terminal uses. */
function spans(line) {
  /** @type {Style} */
  let style = {};
  let out = "";
  for (const [at, part] of line.split("\u001b[").entries()) {
    const end = at === 0 ? -1 : part.indexOf("m");
    if (end >= 0) style = next(style, Number(part.slice(0, end)));
    const text = part.slice(end + 1);
    if (text !== "") out += `<tspan${attributes(style)}>${escaped(text)}</tspan>`;
  }
  return out;
}

/**
 * @param {Style} style
 * @param {number} code
 * @returns {Style}
 */
function next(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  return code === 39 ? { ...style, fill: undefined } : { ...style, fill: COLOURS[code] ?? style.fill };
}

/** @param {Style} style */
function attributes({ fill, bold, dim }) {
  const names = [...(fill ? [fill] : []), ...(bold ? ["bold"] : []), ...(dim ? ["dim"] : [])];
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
