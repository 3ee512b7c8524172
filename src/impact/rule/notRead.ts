/** A rule asked for a fact that this run does not know. The answer for that person is unknown, not an error of the rule. */
export class NotRead extends Error {
  readonly what: string;
  readonly why: string;

  /** `by` is the function that asked; null where the rule itself did. */
  constructor(what: string, by: string | null = null, why = "which remit did not read") {
    super(`${by ?? "the rule"} asks for ${what}, ${why}`);
    this.name = "NotRead";
    this.what = what;
    this.why = why;
  }

  /** The same, asked by a function. */
  askedBy(name: string): NotRead {
    return new NotRead(this.what, name, this.why);
  }
}
