/** A function that makes a thing on the first demand; the next one who asks gets the same thing. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
