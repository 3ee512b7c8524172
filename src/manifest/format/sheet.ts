import type { Lines } from "./layout.js";

/** Lines as they are put down, one below the other. */
export interface Sheet {
  /** Comments and blank lines; of these never two in a row. */
  lines(lines: Lines, indent: number): void;
  line(line: string, indent: number): void;
  /** A line of a text that has several; a blank one is kept. */
  exactly(line: string, indent: number): void;
  /** The next line begins with a dash, in place of its margin's end. */
  hang(dash: string): void;
  /** A blank line here would say something, or separate nothing: none until the next line. */
  tighten(): void;
  /** All of it; a blank line at the end that only separates is left out. */
  text(): string;
}

/** Makes an empty page. */
export function newSheet(): Sheet {
  const written: string[] = [];
  let hanging = "";
  let tight = true;
  let separated = false;

  function put(line: string): void {
    written.push(line);
    tight = false;
    separated = false;
  }

  const page: Sheet = {
    lines(lines, indent) {
      for (const line of lines) {
        if (line !== "") page.line(line, indent);
        else if (!tight) {
          written.push("");
          tight = true;
          separated = true;
        }
      }
    },
    line(line, indent) {
      put(`${" ".repeat(Math.max(0, indent - hanging.length))}${hanging}${line}`);
      hanging = "";
    },
    exactly(line, indent) {
      put(line === "" ? "" : `${" ".repeat(indent)}${line}`);
    },
    hang(dash) {
      hanging += dash;
    },
    tighten() {
      tight = true;
    },
    text() {
      const lines = separated ? written.slice(0, -1) : written;
      return lines.map((line) => `${line}\n`).join("");
    },
  };
  return page;
}
