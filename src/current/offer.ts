import { LIST_OF_CORE, LIST_OF_FULL } from "../kinds/referable.js";
import type { Directory } from "./directory.js";
import type { Fetched } from "./fetched.js";

/** What the first read of a kind tells of all the others. */
export type Offer =
  | { readonly as: "offered" }
  | { readonly as: "not offered"; readonly why: string }
  /** No request got an answer, not even one that every service supports; more requests are useless. */
  | { readonly as: "silent" };

/**
 * Tells a service without a read from one in trouble. Servers differ in how they answer an unknown path: with a page,
 * with "not found" in the form of the service, with a refusal, or with an error. Two lists tell them
 * apart: that of the apps, which a full service has, and that of an app's entitlements, which every service has.
 */
export async function offerOf(opening: Fetched<unknown>, directory: Directory, id: string): Promise<Offer> {
  switch (opening.as) {
    case "got":
      return { as: "offered" };
    case "not offered":
      return opening;
    case "absent": {
      const apps = await directory.firstPage(LIST_OF_FULL, "");
      if (apps.as === "got" || apps.as === "failed") return { as: "offered" };
      return { as: "not offered", why: "the server answers 404 to every read, its list of apps included" };
    }
    case "failed": {
      const { trouble, why } = opening;
      if (trouble === "unreachable") return { as: "silent" };
      const apps = await directory.firstPage(LIST_OF_FULL, "");
      if (apps.as === "got") return trouble === "refused" ? { as: "offered" } : { as: "not offered", why };
      const documented = await directory.firstPage(LIST_OF_CORE, id);
      if (documented.as === "failed") return { as: "silent" };
      return {
        as: "not offered",
        why: `${why}; nor can its apps be listed, though an app's entitlements can`,
      };
    }
  }
}
