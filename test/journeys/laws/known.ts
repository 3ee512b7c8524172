import type { Law } from "./laws.js";

/** A way in which a law does not hold yet, and the item of the issue that repairs it. */
export interface Known {
  readonly law: Law;
  readonly cause: RegExp;
  readonly item: string;
}

/** The ways in which the laws do not hold yet. */
export const KNOWN: readonly Known[] = [
  { law: "a", cause: /^(full|core): (plan|apply) ends with 0 and the tenant differs/, item: "9, 10" },
  { law: "a", cause: /^apply ends with 0, the next plan with/, item: "10, lagging lists" },
  { law: "b", cause: /^full: changes /, item: "6" },
  { law: "c", cause: /^the state changes/, item: "13, 14" },
  { law: "c", cause: /^full: the tenant changes, (not selected|without a manifest)/, item: "13" },
  { law: "d", cause: /^(full|core): .* overwrite/, item: "1, 2, 9" },
  { law: "d", cause: /is not reported$/, item: "law (d)" },
  { law: "e", cause: / is in no request /, item: "8, 9, lagging lists" },
];
