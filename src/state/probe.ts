import type { Objects, StoreTraits } from "./objects.js";
import { noSwap } from "./web/fault.js";

/**
 * Proves that a store swaps: of each pair of writes that want the same, one may succeed. Throws the `StateError`
 * `state/no-swap`, which says what was ignored.
 */
export async function probeSwaps(
  objects: Objects,
  name: string,
  { create, replace }: NonNullable<StoreTraits["conditions"]>,
  token: string,
): Promise<void> {
  const object = `.journal/probe-${token}`;
  const expect = (isRefused: boolean, ignored: string) => {
    if (!isRefused) throw noSwap(name, ignored);
  };
  try {
    const [tag, ...others] = await pair((text) => objects.swap(object, null, text));
    expect(tag !== undefined && others.length === 0, create);
    const known = tag ?? "";
    expect((await pair((text) => objects.swap(object, known, `${text} again`))).length < 2, replace);
    expect((await objects.swap(object, known, "late")) === null, replace);
    expect((await objects.swap(object, null, "late")) === null, create);
  } finally {
    await objects.drop([object]).catch(() => undefined);
  }
}

/** The tags of those of two writes at once that succeeded. */
async function pair(write: (text: string) => Promise<string | null>): Promise<readonly string[]> {
  const tags = await Promise.all(["one", "two"].map(write));
  return tags.filter((tag) => tag !== null);
}
