import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { Refusal } from "../../answer/operation.js";
import type { Proof, Rights } from "../../auth/client.js";
import type { CAMPAIGN_STATES } from "../../messages/campaign.js";
import type { USER_STATUSES } from "../../messages/user.js";
import type { Message } from "../../wire/descriptor.js";
import { makeBeyond } from "../../wire/later.js";
import { parse } from "../../wire/parse.js";
import { refuse } from "../reading.js";

// A seed as it is written, once `schemas/seed.json` has checked it: names where the service has ids.

type Texts = readonly string[];

interface Described {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  /** Further fields of the service's object, in its own words. */
  readonly fields?: JsonObject;
}

export interface SeedEntitlement extends Described {
  readonly alias?: string;
  readonly slug?: string;
  /** The name of a resource type of the app. */
  readonly type?: string;
  /** The name of the resource that it is an entitlement of. */
  readonly resource?: string;
  /** The name of a risk level. */
  readonly risk?: string;
  /** The names of compliance frameworks. */
  readonly frameworks?: Texts;
}

export interface SeedType {
  readonly name: string;
  readonly id?: string;
  readonly kind?: string;
  readonly traits?: Texts;
  /** Things of the type: each has every one of the entitlements. */
  readonly resources?: Texts;
  readonly entitlements?: Texts;
}

export interface SeedApp extends Described {
  readonly types?: readonly SeedType[];
  /** Each by its name alone or in full. */
  readonly entitlements?: readonly (string | SeedEntitlement)[];
}

export interface SeedTemplate extends Described {
  readonly scope?: JsonObject;
  /** Each an app and an entitlement: `GitHub/github-admin`. */
  readonly entitlements?: Texts;
  /** Each an app and a resource type: `GitHub/Team`. */
  readonly resourceTypes?: Texts;
  readonly deleted?: boolean;
}

export interface SeedAutomation extends Omit<Described, "name" | "id"> {
  /** An app and an entitlement: `C1/c1-engineering-member`. */
  readonly entitlement: string;
  readonly name?: string;
  readonly cel?: string;
  readonly basic?: string;
  readonly none?: boolean;
  /** Everybody who has any of these has it. */
  readonly entitlements?: Texts;
  readonly excludedUsers?: Texts;
  readonly deleted?: boolean;
  /** The access profile that it belongs to. */
  readonly managedBy?: string;
}

/** One proof of who it is, the user that it acts for by e-mail, and what it may not use. */
export type SeedClient = Omit<Rights, "userId"> & Proof & { readonly id: string; readonly user?: string };

export interface SeedUser extends Omit<Described, "description"> {
  readonly email?: string;
  readonly department?: string;
  readonly jobTitle?: string;
  /** The e-mail of the manager. */
  readonly manager?: string;
  readonly status?: (typeof USER_STATUSES)[number];
  readonly profile?: JsonObject;
}

export interface SeedMembers {
  /** An app and an entitlement: `C1/c1-engineering-member`. */
  readonly entitlement: string;
  /** Everybody of these holds it by the rule, or through the entitlement of `through`. */
  readonly departments?: Texts;
  readonly jobTitles?: Texts;
  readonly employmentTypes?: Texts;
  /** The part of them that holds it; all when absent. */
  readonly share?: number;
  readonly through?: string;
  /** E-mails of users that the rule leaves out. */
  readonly excluded?: Texts;
  readonly byHand?: number;
  readonly byRequest?: number;
  /** When grants that no rule gives end. */
  readonly until?: string;
  /** E-mails of users that hold it for `reason`. */
  readonly users?: Texts;
  readonly reason?: "rule" | "hand" | "request" | "group";
}

export interface SeedAccount {
  /** The name of an app. */
  readonly app: string;
  readonly name: string;
  readonly email?: string;
  /** The e-mail of the user that it belongs to; without an owner when absent. */
  readonly owner?: string;
  readonly type?: string;
  readonly status?: string;
  readonly external?: boolean;
}

export interface SeedProfile extends Described {
  readonly members?: number;
  readonly deleted?: boolean;
}

export interface SeedValue {
  readonly name: string;
  readonly id?: string;
  readonly deleted?: boolean;
}

export interface SeedPolicy extends Described {
  readonly type?: string;
}

export interface SeedWorkflow extends Omit<Described, "fields"> {
  /** The template that it cuts campaigns from, by name or id. */
  readonly template?: string;
  readonly templateCel?: string;
  readonly draft?: boolean;
}

export interface SeedCampaign extends Omit<Described, "description"> {
  /** The template that it was cut from, by name or id; an id may be that of a template that is gone. */
  readonly template?: string;
  readonly state?: (typeof CAMPAIGN_STATES)[number];
  /** How many tasks it was expected to make. */
  readonly tasks?: number;
  readonly started?: string;
  readonly closed?: string;
  /** The template's when absent. */
  readonly scope?: JsonObject;
}

/** How many people there are, and what their addresses end in. */
export interface PeopleShape {
  readonly count: number;
  readonly domain?: string;
  /** Another number makes other people. */
  readonly seed?: number;
}

export interface SeedShape {
  readonly tenant?: string;
  /** Whether a write makes what it names and the tenant does not have. */
  readonly open?: boolean;
  /** Whether the service knows members whose names begin with `future`. */
  readonly laterVersion?: boolean;
  readonly apps?: readonly SeedApp[];
  readonly templates?: readonly SeedTemplate[];
  readonly automations?: readonly SeedAutomation[];
  readonly users?: readonly SeedUser[];
  /** Made-up people, beside the users that are written down. */
  readonly people?: PeopleShape;
  readonly members?: readonly SeedMembers[];
  /** Accounts that no entry of `members` makes. */
  readonly accounts?: readonly SeedAccount[];
  readonly accessProfiles?: readonly SeedProfile[];
  /** Each by its name alone or in full. */
  readonly riskLevels?: readonly (string | SeedValue)[];
  readonly complianceFrameworks?: readonly (string | SeedValue)[];
  readonly policies?: readonly SeedPolicy[];
  readonly workflows?: readonly SeedWorkflow[];
  readonly campaigns?: readonly SeedCampaign[];
  /** The e-mail of the user that the sandbox's own token stands for. */
  readonly operator?: string;
  readonly clients?: readonly SeedClient[];
}

/** What may be written by its name alone, in full. */
export function inFull<T extends { readonly name: string }>(
  written: string | T,
): T | { readonly name: string } {
  return typeof written === "string" ? { name: written } : written;
}

// What a seed holds of a later version the service refuses in a request, unless the seed says that it knows it.
const LATER = makeBeyond(true, null);

/** Fields in the service's own words, as the service would have kept them had they been sent to it. */
export function checked(fields: JsonObject, type: Message, path: Path): JsonObject {
  try {
    return parse(JSON.stringify(fields), type, LATER);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(path, `would be refused by the service: ${error.message}`);
  }
}
