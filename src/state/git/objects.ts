/** An object of git: what it is, and its bytes. */
interface GitObject {
  readonly type: string;
  readonly body: Buffer;
}

/** The objects that `git cat-file --batch` printed; one that is missing has no bytes. */
export function objectsIn(output: Buffer): readonly GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const [, type = "", size] = output.subarray(at, end).toString("latin1").split(" ");
    const from = end + 1;
    if (size === undefined) {
      found.push({ type, body: Buffer.alloc(0) });
      at = from;
    } else {
      found.push({ type, body: output.subarray(from, from + Number(size)) });
      at = from + Number(size) + 1;
    }
  }
  return found;
}
