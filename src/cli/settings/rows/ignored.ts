import { type Ignored, ignoredFault } from "../../../plan/unmanaged/ignored.js";
import { list } from "../read.js";
import { intent, part, row } from "../row.js";

const OVER = "ignore/expired";

/** Unmanaged objects that are not reported. An entry hides objects from the reader, whatever it says. */
export const ignored = row<readonly Ignored[]>({
  name: "ignore",
  read: (value, file) =>
    list(value, (one, place) => ({
      objects: String(one.objects),
      until: String(one.until),
      reason: String(one.reason),
      span: file?.placeOf(["ignore", place]).span ?? null,
    })),
  fallback: [],
  decides: intent(() => true),
  parts: (value) =>
    value.map(({ objects, until, reason, span }, place) => ({
      ...part(`ignore.${objects}`, { until, reason }, `until ${until}: ${reason}`),
      path: ["ignore", place],
      span,
    })),
  printed: (value) => value.map(({ span: _, ...entry }) => entry),
  entries: {
    holding: (value, term) => value.filter((one) => ignoredFault(one, term) === null),
    ended: (value, term) => value.filter((one) => ignoredFault(one, term)?.code === OVER),
    // One that has ended reports its objects again, so it needs no correction at once.
    faults: (value, term) =>
      value.flatMap((one, place) => {
        const why = ignoredFault(one, term);
        if (why === null) return [];
        const severity = why.code === OVER ? "warning" : "error";
        return [{ ...why, severity, path: ["ignore", place, "until"] }];
      }),
  },
});
