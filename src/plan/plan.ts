import { type AskedInterface, type FoundInterfaces, isLive } from "../kinds/interface.js";
import type { Unapplied } from "../manifest/git/unapplied.js";
import type { Address } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { NotCompared } from "../tenant/known.js";
import type { Extent } from "../tenant/peopleReads.js";
import type { Limits, PlanSettings, SettingPlace } from "./guards/settings.js";
import type { PlanImpact } from "./people/impact.js";
import type { Step } from "./step.js";

/** A guard's finding: a rule that the plan trips, and its acknowledgement. */
export interface Finding {
  readonly guard: string;
  /** Null where the rule is about the whole plan. */
  readonly address: Address | null;
  readonly message: string;
  /** `sha256:…`: what an acknowledgement names with `of`, so that it covers this finding and no other. */
  readonly hash: string;
  /** Of a guard that a team wrote, its definition, and whether it can be acknowledged; absent for one of remit's own. */
  readonly own?: { readonly level: "acknowledge" | "deny"; readonly definition: string };
  /**
   * Null without an acknowledgement; otherwise where it is from and until when: `--acknowledge`, or the project file's
   * own words.
   */
  readonly acknowledged: {
    readonly by: "flag" | "project";
    readonly until: string | null;
    readonly reason: string | null;
    /** The hash that the acknowledgement names; null where it would cover other findings as well. */
    readonly of: string | null;
  } | null;
  /** The working tree's own settings that answer for it once they are merged; empty where none does. */
  readonly proposed: readonly { readonly setting: string; readonly place: SettingPlace | null }[];
}

/** The policies that steps lead to and that the plan does not write, by their ids; null where their fields are not known. */
export type Policies = Readonly<Record<string, JsonObject | null>>;

/** What something decides that a plan writes. */
export type Decides = PolicyDecides | RulesDecide | RequestsDecide;

/** Who may request what a step decides about, and for how many of them no one else would have to agree. */
export interface RequestsDecide {
  readonly as: "requests";
  readonly address: Address;
  /** Why it was not counted; null where it was. */
  readonly uncounted: string | null;
  /** How many entitlements were seen about which it decides. */
  readonly entitlements: number;
  readonly people: OpenRange;
  readonly before: OpenRange;
  readonly after: OpenRange;
  /** Why some of it is not known. */
  readonly unknown: readonly string[];
}

/** For which entitlements the configuration rules of an app decide. */
export interface RulesDecide {
  readonly as: "rules";
  readonly address: Address;
  /** Why it was not counted; null where it was. */
  readonly uncounted: string | null;
  /** Whether the app has entitlements that exist only once they are asked for: these are not counted. */
  readonly isOpen: boolean;
  /** The rules that change, or that decide for other entitlements than before. */
  readonly rules: readonly RouteChange[];
}

/** For how many entitlements one rule decides; any number where `high` is null. */
export interface RouteChange {
  /** Its display name; null for what no rule decides. */
  readonly rule: string | null;
  readonly isNew: boolean;
  readonly before: OpenRange;
  readonly after: OpenRange;
  /** The names of some for which it did not decide before, and how many others there are. */
  readonly newly: readonly string[];
  readonly others: number;
  /** Why it is not known for some whether it holds; null where it is known. */
  readonly unknown: string | null;
}

/** At least and at most so many; null for any number. */
export interface OpenRange {
  readonly low: number;
  readonly high: number | null;
}

/** What a policy decides that a plan writes. */
export interface PolicyDecides {
  readonly as: "policy";
  readonly address: Address;
  /** Why it was not counted; null where it was. */
  readonly uncounted: string | null;
  /** How many entitlements name it now; null where that could not be read. */
  readonly entitlements: Extent | null;
  /** The steps that no one can answer now, and those of which that is not known. */
  readonly noApprover: readonly string[];
  readonly notKnown: readonly string[];
}

/** What a plan could not see, and what that means. */
export interface Unseen {
  readonly what: string;
  readonly why: string;
}

/** How a plan was asked for. */
export interface Mode {
  readonly offline: boolean;
  readonly refreshOnly: boolean;
  readonly prune: boolean;
  /** Addresses of objects that may be pruned with all that the service keeps under them. */
  readonly cascade: readonly string[];
  readonly targets: readonly string[];
  readonly selector: string | null;
}

/** What a plan of one change is compared with, and what it leaves out. */
export interface PlanSince {
  /** As the operator named it, and the commit that the change began at. */
  readonly ref: string;
  readonly commit: string;
  /** What was pending without the change. An apply of the plan does none of it. */
  readonly pending: readonly Step[];
}

/** Everything that would be done, and why: plain data, in a fixed order, nothing volatile. It follows from a look alone. */
export interface Plan {
  readonly server: string;
  /** What was asked for, and per kind what was found. */
  readonly interface: {
    readonly asked: AskedInterface;
    readonly kinds: FoundInterfaces;
  };
  readonly mode: Mode;
  readonly settings: PlanSettings;
  /** The commit the manifests were read at, when known. */
  readonly commit: string | null;
  /** The commit that the project was compared with; null where it was not. */
  readonly since: PlanSince | null;
  /** The state it was made from; null when there was none. */
  readonly state: { readonly lineage: string; readonly serial: number } | null;
  /** The server's store that never had a state; absent otherwise, and where the state is in a file. */
  readonly firstRunIn?: string;
  /** Ordered as they are applied. */
  readonly steps: readonly Step[];
  /** The limits that its findings were judged by. Others may be in force where the plan is applied. */
  readonly limits: Limits;
  /** Objects whose fields the service spells otherwise than remit sent them. */
  readonly rewritten: readonly { readonly address: Address; readonly fields: readonly string[] }[];
  /** What was seen of the objects of each kind and is not compared: nothing in a step depends on it. */
  readonly notCompared: readonly NotCompared[];
  /**
   * The files with manifests that the tenant differs from, each with the SHA-256 of its text. Values of the tenant are
   * accepted only into that text.
   */
  readonly files: Readonly<Record<string, string>>;
}

/** What is known beside the steps of a plan: none of it changes one, and no hash of a step covers it. */
export interface Observation {
  /** The context of the run; absent where the project has none. */
  readonly context?: string;
  /** What was merged before this change and not applied completely; absent where nothing was, or where that is not recorded. */
  readonly unapplied?: Unapplied;
  /** Display names of ids, so that a plan can be read with no network. */
  readonly names: Readonly<Record<string, string>>;
  readonly unseen: readonly Unseen[];
  /** The policies that its steps lead to and that it does not write, by their ids; absent where there are none. */
  readonly policies?: Policies;
  /** What the policies and the configuration rules decide that it writes; absent where it writes none. */
  readonly decides?: readonly Decides[];
  /** What it means for people, counted when the plan was made; null where that was not counted. */
  readonly impact: PlanImpact | null;
  readonly findings: readonly Finding[];
  /** Logical calls, per kind or look-up: those made for this plan, and those an apply will make. */
  readonly calls: {
    readonly made: Readonly<Record<string, number>>;
    readonly ahead: Readonly<Record<string, number>>;
  };
  /** Seconds an apply takes at the given width, at an assumed time per call: nothing that was measured is part of a plan. */
  readonly estimate: Estimate;
  /** What the run found besides the plan: in its settings, the state, the history and the manifests; absent where nothing was. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** A plan with what was observed beside it: what a reader sees, and what a file keeps. */
export type Planned = Plan & Observation;

/** How long an apply takes. */
export interface Estimate {
  readonly seconds: number;
  readonly width: number;
  /** Whether it follows from replies of the service; otherwise from an assumption. */
  readonly measured?: true;
  /** Seconds of it that the store of the state takes, where it takes any; a plan that is kept does not say. */
  readonly state?: number;
}

/** Whether a plan contains an object that was read, or was found not to exist, by reading the service. */
export function showsReads({ steps, interface: { kinds } }: Plan): boolean {
  return steps.some(
    ({ address, sight: { exists } }) => isLive(kinds, address.kind) && (exists === "yes" || exists === "no"),
  );
}

/** The steps that a plan of one change leaves out, because they were pending without it. */
export function pendingIn({ since }: Pick<Plan, "since">): readonly Step[] {
  return since?.pending ?? [];
}
