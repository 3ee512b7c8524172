// What imports generated tenants and judges the manifests.
export { ANY_TENANT } from "../../test/session/anyTenant.js";
export { brokenLaws } from "../../test/session/importLaws.js";
