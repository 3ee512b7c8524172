import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { page, paging, times } from "../messages/members.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { text } from "../wire/member.js";
import { existing, readable } from "./existing.js";
import { listing } from "./listing.js";
import { operationsOf } from "./table.js";

/** The ids of the two types of values that every tenant has (guessed: no source shows them). */
export const BUILT_IN_TYPES = {
  riskLevel: "2builtinRISKLEVEL0000000000",
  complianceFramework: "2builtinCOMPLIANCEFRAMEWORK",
} as const;

const AT = "/api/v1/attributes";
const ATTRIBUTE = "c1.api.attribute.v1.";

/** A value that entitlements are marked with; its name is the field `value`. */
const attributeValue = message(`${ATTRIBUTE}AttributeValue`, {
  id: "string",
  attributeTypeId: "string",
  value: "string",
  ...times,
});

const attributeType = message(`${ATTRIBUTE}AttributeType`, { id: "string", name: "string" });

const found = page(`${ATTRIBUTE}ListAttributeValuesResponse`, attributeValue);
const valuesIn = (_: JsonObject, { store }: World) => [store.attributes.of(ROOT)];

/** The values that entitlements are marked with: risk levels, compliance frameworks, and tags of one's own. */
export const attributes: readonly Operation[] = [
  listOf("RiskLevels", "risk_levels", BUILT_IN_TYPES.riskLevel),
  listOf("ComplianceFrameworks", "compliance_frameworks", BUILT_IN_TYPES.complianceFramework),
  getOf("RiskLevel", "/risk_levels", BUILT_IN_TYPES.riskLevel),
  getOf("ComplianceFramework", "/compliance_frameworks", BUILT_IN_TYPES.complianceFramework),
  getOf("AttributeValue", "", null),
  ...operationsOf({
    noun: ["AttributeType", "AttributeTypes"],
    at: `${AT}/types`,
    service: ATTRIBUTE,
    record: attributeType,
    rows: (store) => store.attributeTypes,
    calls: {
      List: [
        "Lists the types of values.",
        "ListAttributeTypesRequest",
        page(`${ATTRIBUTE}ListAttributeTypesResponse`, attributeType),
      ],
    },
  }),
  listing<NamedRow>({
    name: "ListAttributeValues",
    summary: "Lists the values of one type.",
    method: "GET",
    path: `${AT}/types/{attribute_type_id}/values`,
    request: message(`${ATTRIBUTE}ListAttributeValuesOfTypeRequest`, {
      attributeTypeId: "string",
      ...paging,
    }),
    response: found,
    among: valuesIn,
    also: (request) => (row) => row.attributeTypeId === request.attributeTypeId,
  }),
  listing<NamedRow>({
    name: "SearchAttributeValues",
    summary: "Finds values of all types: the same name may stand under several.",
    method: "POST",
    path: "/api/v1/search/attributes",
    request: message(`${ATTRIBUTE}SearchAttributeValuesRequest`, {
      attributeTypeIds: list("string"),
      ids: list("string"),
      excludeIds: list("string"),
      query: "string",
      value: "string",
      ...paging,
    }),
    response: found,
    among: valuesIn,
    any: { attributeTypeIds: "attributeTypeId", ids: "id" },
    none: { excludeIds: "id" },
    also(request) {
      const value = text(request, "value").toLowerCase();
      const query = text(request, "query").toLowerCase();
      return (row) => {
        const name = text(row, "value").toLowerCase();
        return (value === "" || name === value) && name.includes(query);
      };
    },
  }),
];

function listOf(name: string, segment: string, typeId: string): Operation {
  return listing<NamedRow>({
    name: `List${name}`,
    summary: "Lists the values of this type.",
    method: "GET",
    path: `${AT}/${segment}`,
    request: message(`${ATTRIBUTE}ListAttributeValuesRequest`, paging),
    response: found,
    among: valuesIn,
    also: () => (row) => row.attributeTypeId === typeId,
  });
}

function getOf(name: string, segment: string, typeId: string | null): Operation {
  return {
    name: `Get${name}`,
    summary: "Gives one value.",
    method: "GET",
    path: `${AT}${segment}/{id}`,
    request: message(`${ATTRIBUTE}GetAttributeValueRequest`, { id: "string" }),
    response: message(`${ATTRIBUTE}GetAttributeValueResponse`, { value: attributeValue }),
    answer(request, world) {
      const row = readable(world.store.attributes.get(ROOT, text(request, "id")), world);
      return { value: typeId === null || row.attributeTypeId === typeId ? row : existing(undefined) };
    },
  };
}
