import type { Address } from "../../model/address.js";
import { isObject } from "../../model/json.js";
import { belongingOf } from "../belonging.js";
import { companionSetting, readEnvelope } from "../envelope.js";
import { parse } from "../parse/parse.js";
import type { Source } from "../source.js";
import type { Vocabulary } from "../vocabulary.js";
import { plainManifests } from "./shape.js";

/** What every manifest contains; a text without it is not parsed. */
const SIGN = "remit/";

/** The addresses in a text, without a check by a schema: an unfinished manifest already has its address. */
export function addressesIn(
  source: Source,
  { values, contexts }: Pick<Vocabulary, "values" | "contexts">,
): readonly Address[] {
  if (!source.text.includes(SIGN)) return [];
  return parse(source).value.flatMap(({ value, marks }) => {
    if (!isObject(value) || companionSetting(value) !== null) return [];
    const { apiVersion, kind } = value;
    if (typeof apiVersion !== "string" || !apiVersion.startsWith(SIGN) || typeof kind !== "string") return [];
    const written = { source, marks };
    if (belongingOf({ value, written }, contexts, () => undefined) !== "here") return [];
    return [...plainManifests({ value, written }, values, () => undefined)].flatMap((plain) => {
      const { name } = readEnvelope(plain.value);
      return name === "" ? [] : [{ kind, name }];
    });
  });
}
