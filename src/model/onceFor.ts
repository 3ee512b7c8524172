/** What was made, by what it was made from; a WeakMap keeps nothing that no one else keeps. */
interface Made<From, To> {
  get(from: From): To | undefined;
  set(from: From, made: To): unknown;
}

/** A function that makes a thing once for each argument, on the first demand; the next who asks gets the same thing. */
export function onceFor<From, To>(
  make: (from: From) => To,
  made: Made<From, To> = new Map<From, To>(),
): (from: From) => To {
  return (from) => {
    const known = made.get(from);
    if (known !== undefined) return known;
    const one = make(from);
    made.set(from, one);
    return one;
  };
}
