// What imports generated tenants and judges the manifests.
export { ANY_TENANT } from "../../test/commands/import/anyTenant.js";
export { brokenLaws } from "../../test/commands/import/importLaws.js";
