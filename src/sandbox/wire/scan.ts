import { Refusal } from "../answer/operation.js";

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_]+|./suy;
/** The plain part of a string: up to its end, an escape, or a control character, which must not stand in it. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A way through JSON text, token by token, that loses nothing: repeated names and places stay visible. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first character of the next token, or nothing at the end. */
  peek(): string {
    this.#match(BLANK);
    return this.#text[this.#at] ?? "";
  }

  /** Where the next token starts. */
  place(): number {
    this.peek();
    return this.#at;
  }

  /** Passes the character when it is next. */
  take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Passes the character, or refuses the text. */
  expect(character: string): void {
    if (!this.take(character)) this.unexpected();
  }

  /** Passes the word when it is next: `true`, `false`, `null`. */
  word(word: string): boolean {
    this.peek();
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Passes a string and gives its value. */
  string(): string {
    if (this.peek() !== '"') this.unexpected();
    const start = this.#at;
    this.#at += 1;
    let escaped = false;
    for (;;) {
      this.#match(PLAIN);
      if (this.#text[this.#at] === '"') break;
      if (this.#match(ESCAPE) === "") this.#refuse("syntax error ", this.#at, "invalid character in string");
      escaped = true;
    }
    this.#at += 1;
    if (!escaped) return this.#text.slice(start + 1, this.#at - 1);
    const value: string = JSON.parse(this.#text.slice(start, this.#at));
    if (LONE_SURROGATE.test(value)) this.#refuse("syntax error ", start, "invalid escape code in string");
    return value;
  }

  /** Passes a number and gives it as it is written. */
  number(): string {
    this.peek();
    const text = this.#match(NUMBER);
    if (text === "") this.unexpected();
    return text;
  }

  /** Calls back at each member of an object, standing at its value; the object must be next. */
  members(each: (name: string, place: number) => void): void {
    this.expect("{");
    if (this.take("}")) return;
    do {
      const place = this.place();
      const name = this.string();
      this.expect(":");
      each(name, place);
    } while (this.take(","));
    this.expect("}");
  }

  /** Calls back at each item of a list; the list must be next. */
  items(each: () => void): void {
    this.expect("[");
    if (this.take("]")) return;
    do each();
    while (this.take(","));
    this.expect("]");
  }

  /** Refuses the text where anything follows. */
  end(): void {
    if (this.peek() !== "") this.unexpected();
  }

  /** The token that starts at a place, as it is written. */
  raw(place: number): string {
    this.#at = place;
    if (this.#text[place] === '"') {
      this.string();
      return this.#text.slice(place, this.#at);
    }
    return this.#match(NUMBER) || this.#match(WORD);
  }

  /** Refuses the next token. */
  unexpected(): never {
    const place = this.place();
    this.#refuse("syntax error ", place, `unexpected token ${this.raw(place)}`);
  }

  /** Refuses the text for what stands at a place. */
  refuse(place: number, message: string): never {
    this.#refuse("", place, message);
  }

  #refuse(head: string, place: number, message: string): never {
    const before = this.#text.slice(0, place).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new Refusal(
      "invalidArgument",
      `failed to unmarshal body: proto: ${head}(line ${before.length}:${column}): ${message}`,
    );
  }

  #match(pattern: RegExp): string {
    const start = this.#at;
    pattern.lastIndex = start;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }
}
