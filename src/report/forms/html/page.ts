import { hash } from "node:crypto";
import type { Fact } from "../../view/facts.js";
import { type Html, html, NOTHING, verbatim } from "./html.js";
import { SCRIPT } from "./script.js";
import { STYLE } from "./style.js";

/** A whole page: its title and its content. */
interface PageParts {
  readonly title: string;
  readonly header: Html;
  readonly main: Html;
  /** Data at its end that no browser shows; null for none. */
  readonly data: Html | null;
}

/**
 * A page in one file. It makes no request, and its policy permits only its own style and its own script, by their hashes:
 * nothing that a text contains can run.
 */
export function pageOf({ title, header, main, data }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src '${sourceOf(STYLE)}'`,
    `script-src '${sourceOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="remit">
<title>${title}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
${data ?? NOTHING}<script>${verbatim(SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
}

/** The title of a page about one tenant. */
export function titleOf(what: "plan" | "apply", facts: readonly Fact[]): string {
  const names = facts.flatMap(({ text, value }) => (text === "context" || text === "" ? value : []));
  return [`remit ${what}`, ...names].join(" · ");
}

function sourceOf(text: string): string {
  return `sha256-${hash("sha256", text, "base64")}`;
}
