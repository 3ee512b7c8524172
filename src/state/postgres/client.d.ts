/** The client alone: the entry of its package would load another one where a variable says so. */
declare module "pg/lib/client.js" {
  export { Client as default } from "pg";
}
