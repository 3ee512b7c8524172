import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { cases } from "../fakes/cases.js";
import { folder } from "../manifest/folder.js";
import { sessionScene } from "./sessionScene.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const idOf = (number: number) => `entitlement000000000000000${number}`;
const NUMBERS = [1, 2, 3, 4, 5];

/** How an author may lay out one manifest. */
const LAYOUTS: readonly ((number: number) => string)[] = [
  (number) =>
    `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: n${number} }\nspec:\n  displayName: N${number}\n  cel: { expression: 'subject.department == "D${number}"' }\n  appId: ${APP}\n  appEntitlementId: ${idOf(number)}\n`,
  (number) =>
    `spec:\n  appId: ${APP}\n  appEntitlementId: ${idOf(number)}\n  displayName: &name N${number}\n  description: *name\nkind: EntitlementAutomation\nmetadata:\n  labels: { team: t }\n  name: n${number}\napiVersion: remit/v1\n`,
  (number) =>
    `{"apiVersion": "remit/v1", "kind": "EntitlementAutomation", "metadata": {"name": "n${number}"}, "spec": {"appId": "${APP}", "appEntitlementId": "${idOf(number)}", "displayName": "N${number}"}}\n`,
  (number) =>
    `# the automation ${number}\napiVersion: &version remit/v1\nkind: EntitlementAutomation\nspec:\n  appId: ${APP}\n  appEntitlementId: ${idOf(number)}\n  displayName: |\n    N${number}\nmetadata:\n  name: n${number}\n  annotations: { of: *version }\n`,
];

/** A project: which manifests stand in which file, in which order and layout. */
const projects = fc
  .tuple(
    fc.shuffledSubarray(NUMBERS, { minLength: 2 }),
    fc.array(fc.nat(1), { minLength: 5, maxLength: 5 }),
    fc.array(fc.nat(LAYOUTS.length - 1), { minLength: 5, maxLength: 5 }),
  )
  .map(([numbers, places, layouts]) => {
    const files = new Map<string, number[]>();
    for (const [at, number] of numbers.entries()) {
      const file = `f${places[at]}.yaml`;
      files.set(file, [...(files.get(file) ?? []), number]);
    }
    const text = (number: number) => LAYOUTS[layouts[number - 1] ?? 0]?.(number) ?? "";
    return [...files].map(([file, its]) => ({ file, numbers: its, text: its.map(text).join("---\n") }));
  });

const GARBAGE = [
  "<<<<<<< HEAD\n",
  "garbage\n",
  "- item\n",
  "{",
  "\u0000",
  "a: b\n",
  "a: b\n---\n",
  "%YAML 1.1\n---\n",
];

/** What happens to a file: its new text from its old one. */
const corruptions: fc.Arbitrary<(text: string) => string | Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => cutAt(share)) },
  fc.constant(() => "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 5\n"),
  fc.constantFrom(...GARBAGE).map((garbage) => (text: string) => garbage + text),
  fc.string().map((garbage) => (text: string) => garbage + text),
  fc.constant((text: string) => text.replace(/"?apiVersion"?: [^\n,]*(, |\n)/, "")),
  fc.constant((text: string) => text.replace(/"?apiVersion"?: [^\n,]*(, |\n)/g, "")),
  fc.constant(
    (text: string) =>
      `- ${text
        .split("---\n")
        .map((one) => one.replaceAll("\n", "\n  ").trimEnd())
        .join("\n- ")}\n`,
  ),
  fc.constant((text: string) => text.replaceAll("&name ", "").replaceAll("&version ", "")),
  fc.constant((text: string) => text.replace(/^/gm, "# ")),
  fc.uint8Array({ minLength: 1 }).map((bytes) => () => bytes),
);

/** The first bytes of a text: so much of it as a share says. */
function cutAt(share: number) {
  return (text: string) => {
    const bytes = Buffer.from(text);
    return Uint8Array.from(bytes.subarray(0, Math.floor(share * bytes.length)));
  };
}

/** Whether every document that is left of a file is a whole manifest by itself: then fewer are an ordinary removal. */
function isUnderstood(text: string): boolean {
  try {
    const documents = parseAllDocuments(text, { stringKeys: true });
    if ("empty" in documents || documents.some(({ errors }) => errors.length > 0)) return false;
    const values = documents.map((one) => one.toJS());
    const left = values.filter((value) => value !== null);
    return left.length > 0 && left.every((value) => typeof value === "object" && isManifest(value));
  } catch {
    return false;
  }
}

function isManifest({
  apiVersion,
  kind,
  metadata,
  spec,
}: Record<string, { [name: string]: unknown }>): boolean {
  const whole = [metadata?.name, spec?.appId, spec?.appEntitlementId, spec?.displayName];
  return (
    String(apiVersion) === "remit/v1" &&
    String(kind) === "EntitlementAutomation" &&
    !whole.includes(undefined)
  );
}

it("no plan deletes an object of a file that was cut, replaced or garbled", async () => {
  await fc.assert(
    fc.asyncProperty(projects, fc.array(corruptions, { minLength: 6, maxLength: 6 }), async (files, all) => {
      const scene = await sessionScene("full");
      const cwd = folder(Object.fromEntries(files.map(({ file, text }) => [file, text])));
      const manifests = { project: [cwd], paths: [], cwd };
      const mode = { ...scene.request("").mode, prune: true };
      const removals = { decisions: [], isPruneStanding: true };
      const request = scene.request("", { manifests, mode, removals });
      const applied = await apply(scene.order(request), scene.session);
      expect(applied).toMatchObject({ as: "applied", summary: { outcomes: { failed: 0, skipped: 0 } } });
      for (const [at, corrupt] of all.entries()) {
        const { file, numbers, text } = files[at % files.length] ?? { file: "", numbers: [], text: "" };
        writeFileSync(join(cwd, file), corrupt(text));
        const left = readFileSync(join(cwd, file), "utf8");
        const { value } = await plan(request, scene.session);
        const deleted = (value?.steps ?? []).filter(({ action }) => action === "delete");
        const lost = numbers.filter((number) => deleted.some(({ key }) => key?.[1] === idOf(number)));
        if (!isUnderstood(left)) expect(lost, left).toEqual([]);
        const uncommented = left.replace(/^#.*$/gm, "");
        const isNamed = (number: number) => new RegExp(`"?name"?: "?n${number}\\b`).test(uncommented);
        expect(lost.filter(isNamed), left).toEqual([]);
        expect(deleted.length, left).toBe(lost.length);
        writeFileSync(join(cwd, file), text);
      }
    }),
    { numRuns: cases(5, 12) },
  );
});
