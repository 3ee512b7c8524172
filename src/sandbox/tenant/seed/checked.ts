import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { Refusal } from "../../answer/refusal.js";
import type { Message } from "../../wire/descriptor.js";
import { makeBeyond } from "../../wire/later.js";
import { parse } from "../../wire/parse.js";
import { refuse } from "../reading.js";

// What a seed holds of a later version the service refuses in a request, unless the seed says that it knows it.
const LATER = makeBeyond(true, null);

/** Fields in the service's own words, as the service would have kept them had they been sent to it. */
export function checked(fields: JsonObject, type: Message, path: Path): JsonObject {
  try {
    return parse(JSON.stringify(fields), type, LATER);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(path, `would be refused by the service: ${error.message}`);
  }
}
