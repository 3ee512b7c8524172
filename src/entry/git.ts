/* A state in a repository; loaded only where one is named. */

export { findCheckout, openBareGit, openGit } from "../manifest/git/git.js";
export { readRemotes } from "../manifest/git/remotes.js";
export { readRewrites } from "../manifest/git/rewrites.js";
export { defaultName, lockRefOf, malformed, refOf, remoteUrl } from "../state/git/address.js";
export { compact } from "../state/git/compact.js";
export { listGitStates } from "../state/git/list.js";
export { gitStore } from "../state/git/store.js";
export type { GitStoreOptions } from "../state/git/take.js";
