import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { page, paging, times } from "../messages/members.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { text } from "../wire/member.js";
import { listing } from "./listing.js";
import { isDeleted, readable } from "./owned.js";
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

const reply = message(`${ATTRIBUTE}GetAttributeValueResponse`, { value: attributeValue });
const deleted = message(`${ATTRIBUTE}DeleteAttributeValueResponse`, {});

const attributeType = message(`${ATTRIBUTE}AttributeType`, { id: "string", name: "string" });

const found = page(`${ATTRIBUTE}ListAttributeValuesResponse`, attributeValue);
const valuesIn = (_: JsonObject, { store }: World) => [store.attributes.of(ROOT)];

/** The values that entitlements are marked with: risk levels, compliance frameworks, and tags of one's own. */
export const attributes: readonly Operation[] = [
  ...valuesOf("RiskLevel", "risk_levels", BUILT_IN_TYPES.riskLevel),
  ...valuesOf("ComplianceFramework", "compliance_frameworks", BUILT_IN_TYPES.complianceFramework),
  {
    name: "GetAttributeValue",
    summary: "Gives one value.",
    method: "GET",
    path: `${AT}/{id}`,
    request: message(`${ATTRIBUTE}GetAttributeValueRequest`, { id: "string" }),
    response: reply,
    answer: (request, world) => ({
      value: readable(world.store.attributes.get(ROOT, text(request, "id")), world),
    }),
  },
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

/** The values of one type: no call changes one, and a delete leaves the id on what it marks. */
function valuesOf(name: string, segment: string, attributeTypeId: string): readonly Operation[] {
  const isOther = (row: NamedRow) => row.attributeTypeId !== attributeTypeId;
  return operationsOf<NamedRow>({
    noun: [name, `${name}s`],
    at: `${AT}/${segment}`,
    service: ATTRIBUTE,
    record: attributeValue,
    rows: (store) => store.attributes,
    find(request, { store }) {
      const row = store.attributes.get(ROOT, text(request, "id"));
      return row === undefined || isOther(row) ? undefined : row;
    },
    unlisted: (row) => isDeleted(row) || isOther(row),
    written: { value: "string" },
    required: ["value"],
    keeps(sent, { world: { store, quirks } }) {
      const isTaken = (row: NamedRow) => !isDeleted(row) && !isOther(row) && row.value === sent.value;
      if (quirks.repeatedValues === "refused" && store.attributes.of(ROOT).some(isTaken))
        throw new Refusal("alreadyExists", "the value already exists");
      return { ...sent, attributeTypeId };
    },
    calls: {
      List: ["Lists the values of this type.", "ListAttributeValuesRequest", found],
      Create: [
        "Makes a value of this type, also where another one is called so.",
        `Create${name}Request`,
        reply,
      ],
      Get: ["Gives one value.", "GetAttributeValueRequest", reply],
      Delete: ["Deletes a value, also while entitlements have it.", `Delete${name}Request`, deleted],
    },
  });
}
