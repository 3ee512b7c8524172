import { isObject, type Json } from "../../../model/json.js";
import { whole } from "../read.js";
import { members, row } from "../row.js";

/** How people are counted: with how many calls at most, and whether they are named where others may read it. */
interface ImpactSettings {
  readonly calls: number;
  readonly people: boolean;
}

const DEFAULT: ImpactSettings = { calls: 400, people: false };

/** How people are counted. The working tree may ask for no names; fewer calls would hide who loses access. */
export const impact = row<ImpactSettings>({
  read: (value) =>
    isObject(value)
      ? { calls: whole(0, 100_000).read(value.calls, null) ?? DEFAULT.calls, people: value.people === true }
      : undefined,
  fallback: DEFAULT,
  decides: {
    is: "limit",
    isWithin: isWithinImpact,
    tighter: (inForce, tree) => ({
      calls: inForce.calls,
      people: inForce.people && tree.people,
    }),
  },
  parts: (value) => members("impact", { ...value }),
});

/** Naming people permits more than not naming them. No other number of calls is within one: less of them counts fewer people. */
function isWithinImpact(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one === "boolean" ? !one || other === true : one === other;
}
