/* Where remit keeps what it writes. */

export { type Access, PRIVATE, placeFile, rightsOf } from "../state/durable.js";
export { codeOf } from "../state/fault.js";
export { fileStore } from "../state/file.js";
export { type Lock, type Owner, StateError, type Store } from "../state/store.js";
