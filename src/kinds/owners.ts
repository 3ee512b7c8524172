import type { Gap } from "./inventory.js";

/** That no read of remit shows the owners of such an object. */
export function unshownOwners(noun: string): Gap {
  return {
    misses: "fields",
    message: `The service does not show the field \`ownerIds\`, which is used only to create the ${noun}.`,
    hint: `Leave it out of the manifest. Write it only to create the ${noun} again after a delete.`,
  };
}

/** What manages an object that the service made and keeps for itself. */
export const BY_SERVICE = "the service";
