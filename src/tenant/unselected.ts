import { referable } from "../kinds/referable.js";
import { nameIn } from "../kinds/spelling.js";
import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Target } from "../schema/shape.js";
import { say } from "../words/say.js";

/** The manifest outside the selection that would make an object of that name; undefined where there is none. */
export type Unselected = (target: Target, app: string, name: string) => Address | undefined;

/** Finds manifests of a project by the names of their objects, among those that a run does not look at. */
export function unselectedIn(all: readonly Resource[], selected: readonly Resource[]): Unselected {
  const chosen = new Set(selected);
  const rest = all.filter((resource) => !chosen.has(resource));
  return (target, app, name) => {
    const { kind } = referable(target);
    return rest.find(({ address, spec }) => {
      const isOfApp = typeof spec.appId !== "string" || spec.appId === app;
      return address.kind === kind?.name && nameIn(spec) === name && isOfApp;
    })?.address;
  };
}

/** A need that is neither selected nor in the tenant. */
export function notSelected(need: Address, message: string): Diagnostic {
  const target = formatAddress(need);
  return say("reference/not-selected", { message, target });
}
