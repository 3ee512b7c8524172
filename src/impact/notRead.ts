/** A rule asked for a fact that this run did not read. The answer for that person is unknown, not an error of the rule. */
export class NotRead extends Error {
  readonly what: string;

  /** `by` is the function that asked; null where the rule itself did. */
  constructor(what: string, by: string | null = null) {
    super(`${by ?? "the rule"} asks for ${what}, which remit did not read`);
    this.name = "NotRead";
    this.what = what;
  }
}
