import type { Text } from "./texts.js";

/** Words and turns that a colleague would not say aloud, each with what to write instead. */
export const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b/i, "name who, or say what is missing"],
  [/\bwhoever\b/i, "name who: an administrator, the author, another program"],
  [/\b(somebody|anybody)\b/i, "name who"],
  [/\bshall\b/i, "will, must, or if you want"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\btold\b/i, "said, named, distinguished, shortened"],
  [/\bin brief\b/i, "shortened"],
  [
    /\b(is|are|was|were) (not |still )?to (be|go|do|have|stay|come|get|say|read|write|send|run|make|take|happen|reach|hold|give|begin|end|see|keep)\b/i,
    "will be, must be",
  ],
  [/\b(is|are|was|were) no (?!longer\b|more\b)/i, "is not a, does not exist, no X exists"],
  [/\bours\b/i, "remit's, managed"],
  [/\b(not|never|been|is|was|were|are) begun\b/i, "not started"],
  [/\btakes?n? (it |them )?for (?!granted)/i, "treats as"],
  [
    /\b(lest|thereby|therein|thereof|thereupon|hereby|herein|hitherto|whence|wherein|whereupon|henceforth|naught|nought|ere)\b/i,
    "say it plainly",
  ],
  [/\bas yet\b/i, "yet"],
  [/\bfor want of\b/i, "because … is missing"],
  [/\b(cannot|can|could|could not) be had\b/i, "is not available"],
  [/\bunsaid\b/i, "not mentioned"],
  [/\bin vain\b/i, "without success"],
  [/\bat its word\b/i, "believes"],
  [/\b(be|was|were|is|are) gone through\b/i, "searched, read"],
  [/\bstands? for itself\b/i, "is clear"],
];

/** How many words a sentence may have. */
export const LONGEST = 30;

/** The rules that a text breaks: each banned turn, and each sentence that is too long. */
export function faultsOf(text: Text, longest: number = LONGEST): readonly string[] {
  const plain = exempt(text.words);
  const line = plain.replace(/\s+/g, " ");
  const turns = BANNED.flatMap(([pattern, instead]) => {
    const met = pattern.exec(line);
    return met ? [`"${met[0].trim()}" (${instead})`] : [];
  });
  const long = sentencesOf(plain)
    .filter((sentence) => wordsIn(sentence) > longest)
    .map((sentence) => `a sentence of ${wordsIn(sentence)} words: ${sentence.slice(0, 80)}…`);
  return [...turns, ...long].map((fault) => `${text.path}:${text.line}: ${fault}`);
}

/** What is quoted as code is a name, not prose: the guard `nobody`, a flag, a value, an address of a page. */
function exempt(words: string): string {
  return words
    .replace(/```[\s\S]*?```/g, "\n\n")
    .replace(/`[^`\n]*`/g, "CODE")
    .replace(/https?:\/\/\S+/g, "URL")
    .replace(/\bnobody(?=\[|=|@|\s+\()/g, "GUARD");
}

/** Sentences end at `.`, `!` or `?` before a space, at an empty line or a `<br>`, and at the cells, items and columns of a list. */
export function sentencesOf(words: string): readonly string[] {
  return words
    .split(
      /\n\s*\n|\n(?=\s*(?:[-*|#>=]|\d+\.)\s)|\n(?=\s*@\w)|\n(?= {2,}\S.*\S {2,}\S)|(?<=[.!?])["')*]*\s+|\s\|\s|\s·\s|<br>/,
    )
    .map((sentence) => sentence.replace(/\s+/g, " ").trim());
}

function wordsIn(sentence: string): number {
  return sentence.split(" ").filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
}
