// Why a release is not built: a mistake of the person or the outside, which needs a sentence and no stack.

/** @param {string} message what is wrong, and what to do */
export function refusal(message) {
  return Object.assign(new Error(message), { isRefusal: true });
}

/** @param {unknown} error */
export function isRefusal(error) {
  return error instanceof Error && "isRefusal" in error;
}
