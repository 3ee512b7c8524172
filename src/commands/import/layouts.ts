/** How manifests are divided into files: one each, or all of an app or of a kind together. */
export type Layout = (typeof LAYOUTS)[number];

/** The names of all layouts, the default first. */
export const LAYOUTS = ["object", "app", "kind"] as const;
