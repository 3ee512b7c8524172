import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** A comment as a page: CommonMark with GitHub's tables and HTML, in a column as wide as a comment. */
export function asGithub(markdown: string): string {
  const body = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>comment</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

// The rules of GitHub's own style that decide how wide a comment is.
const STYLE = `
body{margin:0 auto;max-width:760px;padding:16px;font:14px/1.5 system-ui,sans-serif;overflow-wrap:break-word;color:#1f2328}
table{display:block;width:max-content;max-width:100%;overflow:auto;border-collapse:collapse}
th,td{padding:6px 13px;border:1px solid #d1d9e0}
tr:nth-child(2n){background:#f6f8fa}
code,pre{font:12px/1.45 ui-monospace,Menlo,monospace;background:#818b981f;border-radius:6px}
code{padding:.2em .4em}
pre{padding:16px;overflow:auto;background:#f6f8fa}
pre code{padding:0;background:none}
a{color:#0969da}
summary{cursor:pointer}
`;
