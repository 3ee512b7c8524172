import * as fc from "fast-check";
import { expect, it } from "vitest";
import { apply } from "../../../src/apply/run.js";
import { restoreValues } from "../../../src/commands/accept/restore.js";
import { checkAll } from "../../../src/manifest/load.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { type Json, same } from "../../../src/model/json.js";
import { automation, sessionScene } from "../../apply/sessionScene.js";
import { cases } from "../../fakes/cases.js";

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

/** A version of the manifest: its name, its description where it has one, and its condition. */
const version = fc
  .record({
    name: fc.constantFrom("Red", "Blue"),
    description: fc.constantFrom(null, "All of it", 'Some: of "it"'),
    condition: fc.constantFrom(
      `cel: { expression: 'subject.department == "Sales"' }`,
      "cel:\n    expression: subject.isActive",
      "entitlements: { entitlementRefs: [{ appId: app, id: other }] }",
    ),
  })
  .map(
    ({ name, description, condition }) => `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: one }
spec:
  appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5A
  appEntitlementId: entitlement0000000000000001
  displayName: ${name} # kept
${description === null ? "" : `  description: ${JSON.stringify(description)}\n`}  ${condition}
`,
  );

const sourceOf = (text: string) => ({ file: "-", text, named: true });

/** What a manifest says of each field; a choice is one. */
function fieldsOf(text = ""): Readonly<Record<string, Json>> {
  const { displayName, description, cel, entitlements } =
    checkAll([sourceOf(text)], NO_VOCABULARY).resources[0]?.spec ?? {};
  const choice = { cel: cel ?? null, entitlements: entitlements ?? null };
  return { displayName: displayName ?? null, description: description ?? null, choice };
}

it("gives each field that a run changed the value from before it, and leaves all others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 5 }), fc.nat(), async (texts, choice) => {
      const { session, order, request, writes } = await sessionScene();
      for (const [at, text] of texts.entries())
        await apply(order(request(text, { commit: String(at) }), { run: `run ${at}` }), session);
      const at = 1 + (choice % (texts.length - 1));
      const [before, then, last] = [texts[at - 1], texts[at], texts.at(-1)];
      const sent = writes();
      const { value } = await restoreValues(
        {
          request: request(last ?? ""),
          targets: [{ address: ADDRESS, field: null }],
          run: `run ${at}`,
          progress: () => undefined,
          projectAt: async (commit) => {
            const text = commit.endsWith("^") ? undefined : texts[Number(commit)];
            const sources = text === undefined ? [] : [sourceOf(text)];
            return {
              value: { commit, sources, isComplete: true, vocabulary: NO_VOCABULARY },
              diagnostics: [],
            };
          },
        },
        session,
      );
      expect(writes()).toBe(sent);
      const [was, became, now] = [fieldsOf(before), fieldsOf(then), fieldsOf(last)];
      const after = fieldsOf(value?.files[0]?.after ?? last);
      for (const name of ["displayName", "description", "choice"]) {
        const [from, to] = [was[name] ?? null, became[name] ?? null];
        // A field that a manifest leaves out stays as the tenant has it: no run changes it.
        if (name === "description" && (from === null || to === null)) continue;
        expect(after[name]).toEqual(same(from, to) ? now[name] : from);
      }
    }),
    { numRuns: cases(8) },
  );
});
