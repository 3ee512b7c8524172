import { list, message } from "../wire/descriptor.js";
import { times } from "./members.js";

/** A class of things in one app. */
export const resourceType = message("c1.api.app.v1.AppResourceType", {
  id: "string",
  appId: "string",
  displayName: "string",
  traitIds: list("string"),
  ...times,
});
