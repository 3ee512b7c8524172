/* Where remit keeps what it writes. */

export { type Access, PRIVATE, placeFile, rightsOf } from "../state/durable.js";
export { codeOf } from "../state/fault.js";
