/** What a reader of a file does not see as it is: some ends of lines, and what reorders or hides text on the screen. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu;

/** Whether a text has something that a reader of a file would not see. */
export function hidesText(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

// What the log of a pipeline treats as a command: a line that begins so, and `##[error]` or `##vso[…]` anywhere.
const COMMAND_LINE = /\n\s*::/;
const COMMAND = /##(?=\w*\[)/g;

/**
 * Whether only double quotes hold a text. That is so where YAML allows a part of it only as an escape, where a reader would
 * not see a part, and where a log would obey it.
 */
export function isEscaped(text: string): boolean {
  const isCommand = text.search(COMMAND) >= 0 || COMMAND_LINE.test(`\n${text}`);
  return isCommand || /[^\P{Cc}\t\n]/u.test(text) || hidesText(text);
}

/** The same text with each such character as an escape of YAML and JSON: `\u202e`. */
export function withEscapes(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A text in double quotes, as both YAML and JSON read it. */
export function doubleQuoted(text: string): string {
  return withEscapes(JSON.stringify(text)).replace(COMMAND, "#\\u0023");
}
