import { isObject, type Json } from "../../../model/json.js";
import { whole } from "../read.js";
import { isAtMost, members, row } from "../row.js";

/** How people are counted: with how many calls at most, and whether they are named where others may read it. */
interface ImpactSettings {
  readonly calls: number;
  readonly people: boolean;
}

const DEFAULT: ImpactSettings = { calls: 200, people: false };

/** How people are counted; the working tree may ask for fewer calls, and for no names. */
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
      calls: Math.min(inForce.calls, tree.calls),
      people: inForce.people && tree.people,
    }),
  },
  parts: (value) => members("impact", { ...value }),
});

/** Naming people permits more than not naming them. */
function isWithinImpact(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one === "boolean" ? !one || other === true : isAtMost(one, other);
}
