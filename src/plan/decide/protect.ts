import type { Resource } from "../../manifest/resource.js";

const PROTECT = "remit/protect";

/** Whether a manifest asks that its object is neither deleted nor left without an acknowledgement. */
export function isProtected({ annotations }: Pick<Resource, "annotations">): boolean {
  return annotations[PROTECT] === "true";
}
