import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import {
  listAttributeTypesReply,
  listAttributeTypesRequest,
  listValuesOfTypeRequest,
  listValuesReply,
  listValuesRequest,
  searchValuesRequest,
  valueReply,
  valueRequest,
} from "../messages/attribute.js";
import { ROOT } from "../tenant/store.js";
import { text, texts } from "../wire/member.js";
import { existing, isDeleted, readable } from "./existing.js";
import { pageOf } from "./page.js";

/** The ids of the two types of values that every tenant has (guessed: no source shows them). */
export const BUILT_IN_TYPES = {
  riskLevel: "2builtinRISKLEVEL0000000000",
  complianceFramework: "2builtinCOMPLIANCEFRAMEWORK",
} as const;

const ATTRIBUTES = "/api/v1/attributes";

/** The values that entitlements are marked with: risk levels, compliance frameworks, and tags of one's own. */
export const attributes = [
  listOf("RiskLevels", "risk_levels", BUILT_IN_TYPES.riskLevel),
  listOf("ComplianceFrameworks", "compliance_frameworks", BUILT_IN_TYPES.complianceFramework),
  getOf("RiskLevel", "/risk_levels", BUILT_IN_TYPES.riskLevel),
  getOf("ComplianceFramework", "/compliance_frameworks", BUILT_IN_TYPES.complianceFramework),
  getOf("AttributeValue", "", null),
  {
    name: "ListAttributeTypes",
    summary: "Lists the types of values.",
    method: "GET",
    path: `${ATTRIBUTES}/types`,
    request: listAttributeTypesRequest,
    response: listAttributeTypesReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.attributeTypes.of(ROOT)], () => true);
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "ListAttributeValues",
    summary: "Lists the values of one type.",
    method: "GET",
    path: `${ATTRIBUTES}/types/{attribute_type_id}/values`,
    request: listValuesOfTypeRequest,
    response: listValuesReply,
    answer: (request, world) => valuesOf(text(request, "attributeTypeId"), request, world),
  },
  {
    name: "SearchAttributeValues",
    summary: "Finds values of all types: the same name may stand under several.",
    method: "POST",
    path: "/api/v1/search/attributes",
    request: searchValuesRequest,
    response: listValuesReply,
    answer: search,
  },
] as const satisfies readonly Operation[];

function listOf(name: string, segment: string, typeId: string): Operation {
  return {
    name: `List${name}`,
    summary: "Lists the values of this type.",
    method: "GET",
    path: `${ATTRIBUTES}/${segment}`,
    request: listValuesRequest,
    response: listValuesReply,
    answer: (request, world) => valuesOf(typeId, request, world),
  };
}

function getOf(name: string, segment: string, typeId: string | null): Operation {
  return {
    name: `Get${name}`,
    summary: "Gives one value.",
    method: "GET",
    path: `${ATTRIBUTES}${segment}/{id}`,
    request: valueRequest,
    response: valueReply,
    answer(request, world) {
      const row = readable(world.store.attributes.get(ROOT, text(request, "id")), world);
      return { value: typeId === null || row.attributeTypeId === typeId ? row : existing(undefined) };
    },
  };
}

function valuesOf(typeId: string, request: JsonObject, world: World): JsonObject {
  const rows = world.store.attributes.of(ROOT);
  const page = pageOf(request, world, [rows], (row) => row.attributeTypeId === typeId && !isDeleted(row));
  return { list: page.rows, nextPageToken: page.nextPageToken };
}

function search(request: JsonObject, world: World): JsonObject {
  const typeIds = texts(request, "attributeTypeIds");
  const ids = texts(request, "ids");
  const excluded = texts(request, "excludeIds");
  const value = text(request, "value").toLowerCase();
  const query = text(request, "query").toLowerCase();
  const page = pageOf(request, world, [world.store.attributes.of(ROOT)], (row) => {
    const name = text(row, "value").toLowerCase();
    return (
      !isDeleted(row) &&
      (typeIds.length === 0 || typeIds.includes(text(row, "attributeTypeId"))) &&
      (ids.length === 0 || ids.includes(row.id)) &&
      !excluded.includes(row.id) &&
      (value === "" || name === value) &&
      name.includes(query)
    );
  });
  return { list: page.rows, nextPageToken: page.nextPageToken };
}
