/* A state in a PostgreSQL database; loaded only where one is named. */

export { postgresStore } from "../state/postgres/postgres.js";
