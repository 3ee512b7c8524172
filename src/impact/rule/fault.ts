/** A function of a rule failed for one person. The message names the function, and no value: values are personal data. */
export class RuleFault extends Error {
  constructor(name: string) {
    super(`the rule fails in ${name}`);
    this.name = "RuleFault";
  }
}
