import { ApiError, type Approved, type Forge, inline, post, renderHeld } from "../../../entry/forge.js";
import type { Diagnostic } from "../../../entry/values.js";

/**
 * Writes on the pull request of the merge that is refused, and on those that wait behind it, in the comment that their
 * outcome gets later. Gives a warning where the forge does not take it.
 */
export async function tellHeld(
  forge: Forge,
  name: string,
  { refused, waiting }: Approved,
): Promise<readonly Diagnostic[]> {
  if (refused === null) return [];
  try {
    for (const held of [refused, ...waiting]) {
      if (held.number === null) continue;
      const { line, text } = renderHeld({ name, refused, waiting }, held);
      const about = { about: "apply", names: [name], steps: new Map(), escaped: inline } as const;
      await post(forge, held.number, { ...about, line, text: () => text });
    }
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [notTold(error.message)];
  }
}

function notTold(why: string): Diagnostic {
  return {
    code: "forge/refused",
    severity: "warning",
    message: `the pull requests do not hear what waits: ${why}`,
    hint: "Give the job's token the right to write comments.",
  };
}
