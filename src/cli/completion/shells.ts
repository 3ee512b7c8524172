/** The shells that can be taught to complete. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];
