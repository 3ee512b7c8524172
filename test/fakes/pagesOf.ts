import type { ListPage } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";

/** The pages of a list with these rows each, from the one that a token names. */
export async function* pagesOf(
  pages: readonly (readonly Json[])[],
  from = "0",
): AsyncGenerator<ListPage, void, undefined> {
  for (const [at, rows] of pages.entries())
    if (at >= Number(from)) yield { rows, next: at + 1 < pages.length ? String(at + 1) : "" };
}
