import { Environment } from "@marcbachmann/cel-js";
import { textOf } from "../kinds/spelling.js";
import { CEL_LIMITS } from "../manifest/cel.js";
import { MESSAGES } from "../manifest/environments.js";
import { typesOf } from "../manifest/typedLanguage.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Answers } from "./census.js";
import { readAsSpelled } from "./fieldNames.js";
import { NotRead } from "./rule/fault.js";
import { languageFor } from "./rule/language.js";
import { registerMeaning } from "./rule/meaning.js";

/** Other models have entitlements that exist only once they are asked for. docs/service/whole-tenant.md, section 3.2. */
export const CLASSIC = "APP_ACCESS_MODEL_CLASSIC";

/** The role and the scope of an entitlement of an app that has no such things. */
class Unscoped {
  readonly id = "";
  readonly appResourceTypeId = "";
  readonly displayName = "";
}

readAsSpelled(Unscoped, MESSAGES.EntitlementPart);

const UNSCOPED = new Unscoped();

/** An entitlement as the conditions of configuration rules and of policies see it. docs/service/whole-tenant.md, section 4.3. */
export class AskedEntitlement {
  readonly #row: JsonObject;
  readonly #isClassic: boolean;

  /** `isClassic`: whether it is of an app without roles and scopes. */
  constructor(row: JsonObject, isClassic: boolean) {
    this.#row = row;
    this.#isClassic = isClassic;
  }

  get id(): string {
    return textOf(this.#row, "id");
  }

  get appId(): string {
    return textOf(this.#row, "appId");
  }

  get appResourceTypeId(): string {
    return textOf(this.#row, "appResourceTypeId");
  }

  get appResourceId(): string {
    return textOf(this.#row, "appResourceId");
  }

  get displayName(): string {
    return textOf(this.#row, "displayName");
  }

  get description(): string {
    return textOf(this.#row, "description");
  }

  get riskLevelValueId(): string {
    return textOf(this.#row, "riskLevelValueId");
  }

  get annotations(): JsonObject {
    const { annotations = null } = this.#row;
    return isObject(annotations) ? annotations : {};
  }

  get role(): Unscoped {
    return this.#part("role");
  }

  get scope(): Unscoped {
    return this.#part("scope");
  }

  get app_resource_type(): never {
    throw new NotRead("entitlement.app_resource_type");
  }

  #part(name: string): Unscoped {
    if (!this.#isClassic) throw new NotRead(`entitlement.${name}`);
    return UNSCOPED;
  }
}

readAsSpelled(AskedEntitlement, MESSAGES.AskedEntitlement);

/** Lets a language speak of `entitlement`. */
function registerEntitlement(language: Environment): void {
  language.registerType("EntitlementPart", { ctor: Unscoped, fields: typesOf(MESSAGES.EntitlementPart) });
  language.registerType("AskedEntitlement", {
    ctor: AskedEntitlement,
    fields: typesOf(MESSAGES.AskedEntitlement),
  });
  language.registerVariable("entitlement", "AskedEntitlement");
}

/** The language of the conditions of policies: nothing is known of a request, or of an account. */
export function policyLanguage(answers: Answers, now: Date): Environment {
  const language = languageFor("User", answers, now);
  registerEntitlement(language);
  for (const name of ["task", "account", "ip"]) language.registerVariable(name, "dyn");
  return language;
}

/** The language of configuration rules. */
export function entitlementLanguage(): Environment {
  const language = new Environment({ homogeneousAggregateLiterals: false, limits: CEL_LIMITS });
  registerMeaning(language);
  registerEntitlement(language);
  return language;
}
