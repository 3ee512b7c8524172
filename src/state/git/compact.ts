import type { Owner, Waiting } from "../store.js";
import { HISTORY } from "./document.js";
import { notTaken } from "./fault.js";
import { authorOf, trailers } from "./held.js";
import { type GitStoreOptions, takeLock } from "./take.js";

/**
 * Begins the history of a state anew: one commit without a parent has everything that is kept now. The commits before it
 * stay with the remote until it removes what no ref leads to. False where a state does not exist yet.
 */
export async function compact(options: GitStoreOptions, owner: Owner, waiting: Waiting): Promise<boolean> {
  const { repository, heads, pacer, name, ref, clock } = await takeLock(options, owner, waiting);
  try {
    let state = heads.state;
    if (state !== null) {
      const message = `Begin a new history\n\n${trailers(owner)}`;
      const at = Math.floor(clock.now() / 1000);
      // The records of runs are in the commits that go.
      const files = await repository.past("state", HISTORY);
      const by = { message, author: authorOf(owner), at };
      const [whole = state] =
        files.size === 0 ? [] : await repository.commit([{ ...by, parent: state, removed: [], files }]);
      state = await repository.root(whole, by);
    }
    await pacer.ready();
    const pushed = await repository.push(heads, { state, lock: null });
    if (pushed.isDone) return state !== null;
    await repository.push(heads, { ...heads, lock: null });
    throw notTaken(pushed, name, ref);
  } finally {
    await repository.close();
  }
}
