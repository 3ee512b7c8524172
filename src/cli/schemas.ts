import config from "../../schemas/config.json" with { type: "json" };
import diagnostics from "../../schemas/diagnostics.json" with { type: "json" };
import entitlementAutomation from "../../schemas/entitlement-automation.json" with { type: "json" };
import manifest from "../../schemas/manifest.json" with { type: "json" };
import plan from "../../schemas/plan.json" with { type: "json" };
import resourceType from "../../schemas/resource-type.json" with { type: "json" };
import templateScope from "../../schemas/template-scope.json" with { type: "json" };

/** A JSON Schema that remit brings: its file's name, by which the schemas refer to each other, and itself. */
export interface BroughtSchema {
  readonly file: string;
  readonly schema: { readonly title: string; readonly description: string };
}

/** Every schema by the name it is asked for: a kind's own, or what it describes. */
export const SCHEMAS: ReadonlyMap<string, BroughtSchema> = new Map(
  Object.entries({
    TemplateScope: { file: "template-scope.json", schema: templateScope },
    EntitlementAutomation: { file: "entitlement-automation.json", schema: entitlementAutomation },
    ResourceType: { file: "resource-type.json", schema: resourceType },
    manifest: { file: "manifest.json", schema: manifest },
    config: { file: "config.json", schema: config },
    plan: { file: "plan.json", schema: plan },
    diagnostics: { file: "diagnostics.json", schema: diagnostics },
  }),
);

/** A schema as the text of its file. */
export function schemaText({ schema }: BroughtSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
