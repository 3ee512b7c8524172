const LINES = { left: "---", right: "--:", center: ":-:" } as const;

/** A column of a table in Markdown. */
type Column = readonly [title: string, align?: keyof typeof LINES];

/** The two lines that a table begins with. */
export function tableHead(columns: readonly Column[]): string {
  const lines = columns.map(([, align = "left"]) => LINES[align]);
  return [tableRow(columns.map(([title]) => title)), tableRow(lines)].join("\n");
}

/** A row of cells that are Markdown already. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
