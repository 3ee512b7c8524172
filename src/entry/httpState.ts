/* A state behind Terraform's HTTP protocol; loaded only where one is named. */

export { makeNetwork } from "../api/network.js";
export { methodsFor } from "../state/http/address.js";
export { httpStore } from "../state/http/http.js";
