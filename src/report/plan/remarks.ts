import { unnamedIn, withoutUnnamed } from "../../diff/unnamed.js";
import { certaintyOf } from "../../impact/count.js";
import type { Kind } from "../../kinds/kind.js";
import { snippetOf } from "../../manifest/format/write.js";
import type { JsonObject } from "../../model/json.js";
import type { Decides, OpenRange, PolicyDecides, RequestsDecide, RulesDecide } from "../../plan/plan.js";
import type { Remark, Step } from "../../plan/step.js";
import type { REMARK } from "../../words/remark.js";
import { type Said, say, type ValuesOf } from "../../words/say.js";
import type { RemarkReport } from "./report.js";
import { grouped, numberOf } from "./words/people.js";

/** The remarks of a step in a reader's words: every form prints each where it stands. */
export function describeRemarks(
  { remarks, recorded: { givenBack } }: Pick<Step, "remarks" | "recorded">,
  kind: Kind | undefined,
): readonly RemarkReport[] {
  return remarks.flatMap((remark) => {
    switch (remark.about) {
      case "restore": {
        const lines = linesToRestore(remark.fields, kind);
        const key = givenBack.length > 0 ? "remark/restore#fields" : "remark/restore#object";
        return lines.length === 0 ? [] : [remarked(key, {}, "below", { lines })];
      }
      case "changed at": {
        const values = timeOf(remark);
        return values === null
          ? []
          : [remarked("remark/changed-at", values, "reason", { names: [remark.at] })];
      }
      case "ring": {
        const values = { fields: remark.fields, others: remark.awaits };
        const isRefusing = kind?.meanwhile?.as === "refusing";
        return [remarked(isRefusing ? "remark/ring#refusing" : "remark/ring#without", values, "below", {})];
      }
      case "rewrites":
        return remark.count === null
          ? [remarked("remark/rewrites#unknown", {}, "below", {})]
          : [remarked("remark/rewrites#known", { count: remark.count }, "below", {})];
      case "last file":
        return [remarked("remark/last-file", {}, "place", { names: [remark.file] })];
      default:
        return remark satisfies never;
    }
  });
}

/** That guards do not know some policies that a step leads to; nothing where they know all of them. */
export function describeUnknown(policies: readonly string[]): readonly RemarkReport[] {
  const key = policies.length === 1 ? "remark/unknown-policy#one" : "remark/unknown-policy#several";
  return policies.length === 0 ? [] : [remarked(key, {}, "below", { names: policies })];
}

/** For how many entitlements a step decides, each said once, who may request them, and which steps of a policy have no one. */
export function describeDecides(all: readonly Decides[], isNew: boolean): readonly RemarkReport[] {
  const requests = all.find((one) => one.as === "requests");
  return all.flatMap((one) => {
    if (one.as === "requests") return describeRequests(one);
    if (one.uncounted === null)
      return one.as === "rules" ? describeRules(one) : describePolicy(one, isNew || areNamed(one, requests));
    if (requests !== undefined && requests.uncounted !== null) return [];
    return [remarked("remark/decides#uncounted", { why: one.uncounted }, "below", {})];
  });
}

/** Whether the sentence about requests names as many entitlements as a policy decides for. */
function areNamed({ entitlements }: PolicyDecides, requests: RequestsDecide | undefined): boolean {
  if (requests === undefined || requests.uncounted !== null || requests.people.high === 0) return false;
  return entitlements !== null && entitlements.low <= requests.entitlements;
}

function describePolicy(
  { entitlements, noApprover, notKnown }: PolicyDecides,
  isNew: boolean,
): readonly RemarkReport[] {
  const paths = (key: "remark/no-approver" | "remark/unknown-approver", names: readonly string[]) =>
    names.length === 0 ? [] : [remarked(key, {}, "below", { names })];
  const count = entitlements?.low ?? 0;
  const how = entitlements?.isAll === false ? "remark/decides#some" : "remark/decides#all";
  const many =
    entitlements === null
      ? remarked("remark/decides#unknown", {}, "below", {})
      : remarked(how, { count }, "below", {});
  return [
    ...(isNew ? [] : [many]),
    ...paths("remark/no-approver", noApprover),
    ...paths("remark/unknown-approver", notKnown),
  ];
}

function describeRequests(one: RequestsDecide): readonly RemarkReport[] {
  const { uncounted, entitlements, people, before, after, unknown } = one;
  if (uncounted !== null) return [remarked("remark/requests#uncounted", { why: uncounted }, "below", {})];
  const values = { people: manyIn(people, "person", "people"), count: entitlements };
  const alone = { after: rangeOf(after), before: rangeOf(before) };
  const counted =
    people.high === 0
      ? remarked("remark/requests#noOne", {}, "below", {})
      : after.high === 0 && before.high === 0
        ? remarked("remark/requests#agreed", values, "below", {})
        : remarked("remark/requests#counted", { ...values, ...alone }, "below", {});
  return [counted, ...unknown.map((why) => remarked("remark/requests#unknown", { why }, "below", {}))];
}

function describeRules({ rules, isOpen }: RulesDecide): readonly RemarkReport[] {
  const lines = rules.flatMap(({ rule, isNew, before, after, newly, others, unknown }) => {
    const who = rule === null ? "the app itself" : `the rule ${JSON.stringify(rule)}`;
    const many = manyIn(after, "entitlement", "entitlements");
    const names = others === 0 ? newly : [...newly, `${grouped(others)} more`];
    const how = names.length === 0 ? "other" : isNew ? "named" : "more";
    const what = { who, after: many, before: rangeOf(before) };
    return [
      remarked(`remark/rule-decides#${how}`, what, "below", { names }),
      ...(unknown === null
        ? []
        : [remarked("remark/rule-decides#unknown", { who, why: unknown }, "below", {})]),
    ];
  });
  return isOpen ? [...lines, remarked("remark/rule-decides#open", {}, "below", {})] : lines;
}

function manyIn(range: OpenRange, one: string, more: string): string {
  return `${rangeOf(range)} ${range.low === 1 && range.high === 1 ? one : more}`;
}

function rangeOf(range: OpenRange): string {
  return numberOf({ certainty: certaintyOf(range), ...range });
}

/** What a reason says of the time of a change in the tenant; empty where that is not known. */
export function lastChange({ remarks }: Pick<Step, "remarks">): string {
  const [values] = remarks.flatMap((remark) => (remark.about === "changed at" ? (timeOf(remark) ?? []) : []));
  return values === undefined ? "" : `, ${say("remark/changed-at", values).message}`;
}

type Remarked = Extract<Said, keyof typeof REMARK.rows | `${keyof typeof REMARK.rows}#${string}`>;

function remarked<K extends Remarked>(
  key: K,
  values: ValuesOf<K>,
  where: RemarkReport["where"],
  { names = [], lines = [] }: Partial<Pick<RemarkReport, "names" | "lines">>,
): RemarkReport {
  const { code, message: text } = say<Said>(key, values);
  return { code, where, text, names, lines };
}

function timeOf({
  at,
}: Extract<Remark, { readonly about: "changed at" }>): ValuesOf<"remark/changed-at"> | null {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(at) ?? [];
  return day === undefined || time === undefined ? null : { day, time };
}

/** The lines that restore fields; what a manifest cannot write is named in a comment. */
function linesToRestore(fields: JsonObject, kind: Kind | undefined): readonly string[] {
  if (kind === undefined) return [];
  const unnamed = unnamedIn(fields, kind.shape);
  const lines = snippetOf(withoutUnnamed(fields, kind.shape));
  return unnamed.length === 0 ? lines : [...lines, `# not restored, unknown to remit: ${unnamed.join(", ")}`];
}
