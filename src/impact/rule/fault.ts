/** A function of a rule failed for one person. The message names the function, and no value: values are personal data. */
export class RuleFault extends Error {
  constructor(name: string) {
    super(`the rule fails in ${name}`);
    this.name = "RuleFault";
  }
}

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

/** What a function of a rule does, so that a fault of it, and a fact that was not read for it, have its name. */
export function calledAs(name: string, handler: (...values: never[]) => unknown) {
  return (...values: never[]): unknown => {
    try {
      return handler(...values);
    } catch (error) {
      throw error instanceof NotRead ? error.askedBy(name) : new RuleFault(name);
    }
  };
}
