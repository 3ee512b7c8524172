/* A state in a bucket; loaded only where one is named. */

export { makeNetwork } from "../api/network.js";
export { checkEndpoint } from "../state/s3/address.js";
export { listS3States, s3Store } from "../state/s3/s3.js";
