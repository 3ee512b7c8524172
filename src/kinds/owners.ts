import type { JsonObject } from "../model/json.js";
import type { Gap } from "./inventory.js";

/** The owners that a manifest names, under the name that a create of its kind has for them. */
export function ownersSent({ ownerIds }: JsonObject, name: string): JsonObject {
  return ownerIds === undefined ? {} : { [name]: ownerIds };
}

/** That no read of remit shows the owners of such an object. */
export function unshownOwners(noun: string): Gap {
  return {
    misses: "fields",
    message: `The service does not show the field \`ownerIds\`, which is used only to create the ${noun}.`,
    hint: `Leave it out of the manifest. Write it only to create the ${noun} again after a delete.`,
  };
}
