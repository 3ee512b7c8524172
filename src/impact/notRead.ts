/** A rule asked for a fact that this run did not read. The answer for that person is unknown, not an error of the rule. */
export class NotRead extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`${what} was not read`);
    this.name = "NotRead";
    this.what = what;
  }
}
