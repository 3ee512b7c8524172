import type { World } from "../../outside/world.js";

/** Whether the user wants the plan that was just shown; null where there is nobody to ask. */
export async function approve({ stdin, stderr }: World): Promise<boolean | null> {
  if (!stdin.isTerminal) return null;
  const answer = await stdin.line(() => stderr.write('\nApply this plan? Type "yes" to apply: '));
  return answer.trim() === "yes";
}
