import { isAbsolute, join, relative } from "node:path";
import { filesOf } from "../../../src/commands/import/layout.js";
import { LAYOUTS } from "../../../src/commands/import/layouts.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import { isObject, type Json } from "../../../src/model/json.js";
import type { ImportableTenant } from "./anyTenant.js";
import { importingFrom } from "./importing.js";

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** What an import of a tenant does that it must not do, each as a sentence; empty where every law holds. */
export async function brokenLaws({
  tenant,
  importable,
  expressions,
}: ImportableTenant): Promise<readonly string[]> {
  const broken: string[] = [];
  const { take, planned, writes } = importingFrom(tenant);
  const { text, manifests, leftOut, diagnostics } = await take();
  const faults = [
    ...diagnostics,
    ...leftOut.filter(({ because }) => because === "unwritable" || because === "unread"),
  ];
  if (faults.length > 0) broken.push(`it cannot take everything: ${JSON.stringify(faults)}`);

  const taken = manifests.map(({ kind, key }) => `${kind} ${key.join("/")}`).sort();
  const wanted = [...importable].sort();
  if (taken.join() !== wanted.join())
    broken.push(`it takes ${taken.join(", ")} and should take ${wanted.join(", ")}`);

  for (const { name } of manifests) {
    if (!NAME.test(name) || DEVICE.test(name)) broken.push(`a manifest has the name ${JSON.stringify(name)}`);
  }
  if (new Set(manifests.map(({ kind, name }) => `${kind}/${name}`)).size !== manifests.length)
    broken.push("two manifests have one name");
  for (const layout of LAYOUTS) {
    for (const { path } of filesOf(manifests, layout, () => false)) {
      const inside = relative("/target", join("/target", path));
      if (inside.startsWith("..") || isAbsolute(inside) || inside.split("/").length > 2)
        broken.push(`a file is ${path}`);
    }
  }
  if (text.includes("\r")) broken.push("a line ends with a carriage return");
  for (const { key, kind, text: own } of manifests) {
    const expression = kind === "EntitlementAutomation" ? expressions.get(key.join("/")) : undefined;
    const written = expressionIn(parse({ file: "one.yaml", text: own, named: true }).value[0]?.value ?? null);
    if (written !== expression)
      broken.push(
        `an expression is ${JSON.stringify(written)}, and ${JSON.stringify(expression)} in the tenant`,
      );
  }

  if (manifests.length > 0) {
    const { outlook, actions } = await planned(text);
    if (outlook !== "changes nothing" || [...actions].join() !== "adopt")
      broken.push(`the next plan ${outlook}: ${[...actions].join()}`);
    const again = await take({}, text);
    if (again.manifests.length > 0) broken.push(`a second import writes ${again.names.join(", ")}`);
    if (again.gone.length > 0) broken.push("a second import finds objects gone");
  }
  if (writes.length > 0) broken.push("it writes to the tenant");
  return broken;
}

function expressionIn(document: Json): string | undefined {
  const spec = isObject(document) ? (document.spec ?? null) : null;
  const rule = isObject(spec) ? (spec.cel ?? spec.basic ?? null) : null;
  const expression = isObject(rule) ? rule.expression : undefined;
  return typeof expression === "string" ? expression : undefined;
}
