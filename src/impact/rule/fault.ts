import { NotRead } from "./notRead.js";

/** A function of a rule failed for one person. The message names the function, and no value: values are personal data. */
export class RuleFault extends Error {
  constructor(name: string) {
    super(`the rule fails in ${name}`);
    this.name = "RuleFault";
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
