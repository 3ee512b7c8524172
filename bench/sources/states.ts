// The states that a benchmark writes into a repository, and the repository.
export { openBareGit } from "../../src/manifest/git/git.js";
export { CADENCE } from "../../src/state/git/cadence.js";
export { gitStore } from "../../src/state/git/store.js";
export { newSnapshot } from "../../src/state/snapshot.js";
export { makeGitRemote } from "../../test/fakes/gitRemote.js";
