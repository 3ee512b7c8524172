import { expect, it } from "vitest";
import { restoreValues } from "../../src/session/accept/restore.js";
import { apply } from "../../src/session/apply/apply.js";
import { automation, sessionScene } from "./scene.js";

const ADDRESS = { kind: "EntitlementAutomation", name: "one" };

async function restored(hasHistory: boolean) {
  const { session, order, request, writes, contents } = await sessionScene();
  const [first, second] = [automation("one"), automation("one", "false || subject.isActive")];
  await apply(order(request(first), { run: "first" }), session);
  await apply(order(request(second), { run: "second" }), session);
  const [sent, kept] = [writes(), JSON.stringify(contents)];
  const asked: string[] = [];
  const { value } = await restoreValues(
    {
      request: request(second, { commit: "c" }),
      targets: [{ address: ADDRESS, field: null }],
      run: null,
      progress: () => undefined,
      projectAt: async (commit) => {
        asked.push(commit);
        return { value: null, diagnostics: [] };
      },
    },
    hasHistory ? session : { ...session, store: { ...session.store, history: null } },
  );
  expect([writes(), JSON.stringify(contents)]).toEqual([sent, kept]);
  return [value?.files, value?.left.map(({ code }) => code), asked];
}

it("restores nothing where the store keeps no history, or no run was made from a commit, and says which", async () => {
  expect(await restored(false)).toEqual([[], ["state/no-history"], []]);
  expect(await restored(true)).toEqual([[], ["accept/no-commit"], []]);
});
