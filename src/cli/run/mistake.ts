/** A bug that ended a run whose answers are in a file. */
export class MistakeWithRescue extends Error {
  readonly file: string;

  constructor(cause: unknown, file: string) {
    super("a run with answers in a file", { cause });
    this.file = file;
  }
}
