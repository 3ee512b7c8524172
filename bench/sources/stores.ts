// The stores whose journals a benchmark writes, and the servers that it starts for them.

export { Secret } from "../../src/model/secret.js";
export { fileStore } from "../../src/state/file.js";
export { postgresStore } from "../../src/state/postgres/postgres.js";
export { bucketAddress } from "../../src/state/s3/address.js";
export { s3Store } from "../../src/state/s3/s3.js";
export { newSnapshot } from "../../src/state/snapshot.js";
export { readStateAddress } from "../../src/state/stores.js";
export { makeTransport } from "../../src/tenant/client/transport.js";
export { missingPostgres, startPostgres } from "../../test/fakes/postgres.js";
export { missingS3, startS3 } from "../../test/fakes/s3.js";
