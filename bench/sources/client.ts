// The client that a benchmark compares with others.

export { Secret } from "../../src/model/secret.js";
export { makeClient } from "../../src/tenant/client/client.js";
