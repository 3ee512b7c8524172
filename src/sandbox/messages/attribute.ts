import { list, message } from "../wire/descriptor.js";

const ATTRIBUTE = "c1.api.attribute.v1";

/** A value that entitlements are marked with; its name is the field `value`. */
export const attributeValue = message(`${ATTRIBUTE}.AttributeValue`, {
  id: "string",
  attributeTypeId: "string",
  value: "string",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

const attributeType = message(`${ATTRIBUTE}.AttributeType`, { id: "string", name: "string" });

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for values of one kind. */
export const listValuesRequest = message(`${ATTRIBUTE}.ListAttributeValuesRequest`, page);

/** Asks for the values of one type. */
export const listValuesOfTypeRequest = message(`${ATTRIBUTE}.ListAttributeValuesOfTypeRequest`, {
  attributeTypeId: "string",
  ...page,
});

/** A page of values. */
export const listValuesReply = message(`${ATTRIBUTE}.ListAttributeValuesResponse`, {
  list: list(attributeValue),
  nextPageToken: "string",
});

/** Asks for the types of values. */
export const listAttributeTypesRequest = message(`${ATTRIBUTE}.ListAttributeTypesRequest`, page);

/** A page of types of values. */
export const listAttributeTypesReply = message(`${ATTRIBUTE}.ListAttributeTypesResponse`, {
  list: list(attributeType),
  nextPageToken: "string",
});

/** A request that names one value and nothing else. */
export const valueRequest = message(`${ATTRIBUTE}.GetAttributeValueRequest`, { id: "string" });

/** One value. */
export const valueReply = message(`${ATTRIBUTE}.GetAttributeValueResponse`, { value: attributeValue });

/** Looks for values of all types. */
export const searchValuesRequest = message(`${ATTRIBUTE}.SearchAttributeValuesRequest`, {
  attributeTypeIds: list("string"),
  ids: list("string"),
  excludeIds: list("string"),
  query: "string",
  value: "string",
  ...page,
});
