import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { EntitlementRef, TypeRef } from "./people.js";

/** What a change of an object of a kind means for people. */
export type Concern =
  /** Its rule decides who gets an entitlement. */
  | {
      readonly as: "members";
      readonly entitlement: (key: Key) => EntitlementRef;
      /** The part of an object that the rule is. */
      readonly rule: (object: JsonObject) => JsonObject;
    }
  /** Its scope decides whose access is reviewed. */
  | {
      readonly as: "audience";
      readonly scope: (object: JsonObject) => JsonObject;
      /** What is reviewed. */
      readonly entitlements: (object: JsonObject) => readonly EntitlementRef[];
      /** The template that campaigns with this scope are cut from. */
      readonly template: (key: Key) => string;
    }
  /** The service keeps resources and their grants under it. */
  | { readonly as: "holdings"; readonly type: (key: Key) => TypeRef }
  | { readonly as: "nothing" };
