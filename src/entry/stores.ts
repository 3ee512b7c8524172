/* Where remit keeps what it writes. */

export { aboutUncertain, afterUncertain } from "../plan/decide/uncertain.js";
export { type PostgresAddress, readStateAddress, shownAddress, stateIdentity } from "../state/address.js";
export { checkProject, type Renaming, renamed } from "../state/belonging.js";
export { type Access, PRIVATE, placeFile, rightsOf, syncFolder } from "../state/durable.js";
export { readStateKeys, type StateKey } from "../state/encryption/key.js";
export { recode } from "../state/encryption/recode.js";
export { noRescue, openRescue, sealRescue } from "../state/encryption/rescue.js";
export { type Encryption, withKeys } from "../state/encryption/store.js";
export { codeOf } from "../state/fault.js";
export { fileStore } from "../state/file.js";
export { listFileStates } from "../state/fileList.js";
export { type GitAddress, type RemoteUrl, remoteUrl } from "../state/git/address.js";
export type { WebAddress } from "../state/http/address.js";
export { lostState } from "../state/lost.js";
export { memoryContents, memoryStore } from "../state/memory.js";
export { moveState } from "../state/move.js";
export { entriesLike, entriesNamed, nameOfEntry } from "../state/names.js";
export { aboutState, ownerInWords } from "../state/owner.js";
export type { BucketAddress } from "../state/s3/address.js";
export type { AppliedBy, Entry, Kept, Snapshot, Uncertain } from "../state/snapshot.js";
export { type Contents, type Lock, type Owner, StateError, type Store } from "../state/store.js";
export type { StoredState } from "../state/stored.js";
