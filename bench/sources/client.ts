// The client that a benchmark compares with others.
export { makeClient } from "../../src/api/client.js";
export { Secret } from "../../src/model/secret.js";
