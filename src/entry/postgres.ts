/* A state in a PostgreSQL database; loaded only where one is named. */

export { listPostgresStates, postgresStore } from "../state/postgres/postgres.js";
