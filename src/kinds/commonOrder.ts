/** The places, in two lists, of the longest run of items that both have in the same order. */
export function longestCommon<T>(
  some: readonly T[],
  others: readonly T[],
  nameOf: (item: T) => string,
): readonly (readonly [number, number])[] {
  const [left, right] = [some.map(nameOf), others.map(nameOf)];
  // How many items the rests behind each pair of places have in common.
  const common = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const row = common[one];
      if (row === undefined) continue;
      const isSame = left[one] === right[other];
      row[other] = isSame ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; one < left.length && other < right.length; ) {
    if (left[one] === right[other]) pairs.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}
