import type { Cause } from "../../diff/change.js";
import type { Unclear } from "../../impact/count.js";
import type { Unapplied } from "../../manifest/git/unapplied.js";
import type { Diagnostic, Line } from "../../model/diagnostic.js";
import type { PlanSettings } from "../../plan/guards/settings.js";
import type { LabelChange } from "../../plan/labels/otherLabels.js";
import type { Audience, Holdings, PeopleCount, PlanImpact } from "../../plan/people/impact.js";
import type { PeopleTotals } from "../../plan/people/totals.js";
import type { Estimate, Finding, Plan, Unseen } from "../../plan/plan.js";
import type { Action, Edit } from "../../plan/step.js";
import type { AppsLookedAt } from "../../plan/unmanaged/unmanaged.js";
import type { Statement } from "../statement.js";

/** A part of a text that was compared word by word. */
export interface Word {
  readonly as: "same" | "removed" | "added";
  readonly text: string;
}

/** What changes in one field, in a reader's words; ids that are known are shown with their names. */
export type Difference =
  | { readonly type: "value"; readonly before: string | null; readonly after: string | null }
  | { readonly type: "text"; readonly words: readonly Word[] }
  | {
      readonly type: "set";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Null where the items before were not seen. */
      readonly kept: number | null;
    }
  /** Another member of a one-of group. The sentence describes it; a value is null if its member says everything. */
  | {
      readonly type: "choice";
      readonly sentence: string;
      readonly before: string | null;
      readonly after: string | null;
    };

/** One changed field. */
export interface FieldReport {
  readonly path: string;
  /** Null if the whole object is deleted. `accepted`: the tenant changed it, and the manifest has the same value now. */
  readonly cause: Cause | "accepted" | null;
  /** Null where the change that the plan is about did not edit it. */
  readonly edit: Edit | null;
  /** The line it is written on; null if the manifest does not write it. */
  readonly line: number | null;
  /** The file of that line, if a named value gives it; null for the manifest's own. */
  readonly file: string | null;
  readonly difference: Difference;
}

/** What is done to a resource, as a reader sees it: `set` is a way to send an update, so it is an update. */
export type ShownAction = Exclude<Action, "set">;

/** What explains a step: a sentence, the names that it ends with, and lines of a manifest below it. */
export interface RemarkReport {
  /** The same code always means the same. */
  readonly code: string;
  /** Beside the place of the manifest, in the reason already, or below the changed fields. */
  readonly where: "place" | "reason" | "below";
  /** Text between back-ticks is a name. */
  readonly text: string;
  readonly names: readonly string[];
  readonly lines: readonly string[];
}

/** One resource that changes, or that cannot be decided. */
export interface StepReport {
  readonly address: string;
  readonly action: ShownAction;
  /** The address of its last apply, if that was another one; otherwise null. */
  readonly renamedFrom: string | null;
  /** What a replacement replaces, and what is done to the new object; null for any other action. */
  readonly replaces: {
    readonly title: string;
    readonly key: string;
    readonly by: "create" | "update" | "adopt";
  } | null;
  /** The labels of its manifest. */
  readonly labels: Readonly<Record<string, string>>;
  /** The app that the object is in, by its name where that is known; null for one that is in none. */
  readonly app: string | null;
  /** What it is in the tenant: `GitHub › github-admin (2fsg…5D)`. */
  readonly title: string;
  /** Why, as a phrase; empty where the fields say everything. */
  readonly reason: string;
  readonly place: Line | null;
  /** 0 is harmless; the riskiest are shown first. */
  readonly risk: number;
  readonly fields: readonly FieldReport[];
  /** Whether its manifest was removed and the object keeps its effect in the tenant. */
  readonly staysActive: boolean;
  /** Whether it changes only because the tenant changed since the last apply, or the object was deleted there. */
  readonly isDrift: boolean;
  readonly givenBack: readonly string[];
  /** What explains it. */
  readonly remarks: readonly RemarkReport[];
  /** What it means for people; null where that was not counted. */
  readonly people: PeopleReport | null;
  /** Places inside the written fields that hold what remit has no name for; the write sends it back as it is. */
  readonly kept: readonly string[];
  readonly needs: readonly string[];
  /** The calls it makes: method and path. */
  readonly calls: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Who gains and who loses by a step, counted when the plan was made. */
export interface PeopleReport {
  /** A sentence, and what it rests on. */
  readonly lines: readonly string[];
  /** What stands beside the sentence: of how many users, or what of a scope is unknown; empty where there is nothing. */
  readonly aside: string;
  /** The same for a narrow column: `+0, at most −3`. */
  readonly brief: string;
  /** How many may lose access, or leave a review; null for any number. */
  readonly mostLosing: number | null;
  readonly counts: Readonly<Record<string, PeopleCount>>;
  /** Why the rules are unknown for some people, and for how many. */
  readonly unknown: readonly Unclear[];
  /** Of a scope: what is reviewed, which campaigns there are, and what was not counted; null for anything else. */
  readonly review: Pick<Audience, "accounts" | "notCounted" | "campaigns" | "added" | "removed"> | null;
  /** What the service keeps under an object that is deleted; null for anything else. */
  readonly holdings: Pick<
    Holdings,
    "resources" | "entitlements" | "automations" | "grants" | "people"
  > | null;
}

/** The commit that a plan of one change is compared with, and what the plan leaves out. */
interface SinceReport {
  readonly ref: string;
  readonly commit: string;
  /** Riskiest first. */
  readonly pending: readonly StepReport[];
}

/** A plan as a reader may see it: ordered, named and worded once, for every renderer. */
export interface PlanReport {
  readonly formatVersion: 1;
  readonly server: string;
  /** The context of the run; absent where the project has none. */
  readonly context?: string;
  readonly commit: string | null;
  /** What the project was compared with, and what was pending without the change; null where it was not. */
  readonly since: SinceReport | null;
  /** What was merged before this change and not applied completely; absent where nothing was, or where that is not recorded. */
  readonly unapplied?: Unapplied;
  /** `sha256:…`, as `--expect` pins it. */
  readonly effect: string;
  /** Whether the plan is about drift only: an apply records it and reverts nothing. */
  readonly refreshOnly: boolean;
  /** Whether there was a state; without one, remit knows nothing about earlier applies. */
  readonly hasState: boolean;
  /**
   * How many objects stay as they are in a change that only stops managing fields or objects; null for any other change.
   */
  readonly undoesNothing: number | null;
  /** Whether an apply would do anything, or something blocks it. */
  readonly pending: boolean;
  readonly counts: Readonly<Record<ShownAction, number>>;
  /** Counts per kind of the actions that occur. */
  readonly kinds: Readonly<Record<string, Readonly<Partial<Record<ShownAction, number>>>>>;
  /** Where the settings in force come from, and what is shown of them before the steps. */
  readonly settings: PlanSettings;
  /** Riskiest first; unchanged objects are only counted. */
  readonly steps: readonly StepReport[];
  /** Labels that manifests have otherwise than before. A label decides nothing but which guards are asked. */
  readonly labelChanges: readonly LabelChangeReport[];
  readonly findings: readonly FindingReport[];
  /** Whether an apply of this plan is possible, so that an open finding must be acknowledged. */
  readonly isDecided: boolean;
  /** Objects that are written for the first time without being seen, because the settings permit it. */
  readonly writtenUnseen: readonly string[];
  readonly unseen: readonly Unseen[];
  /** Fields that the service keeps in another form than remit sent. */
  readonly rewritten: readonly { readonly address: string; readonly fields: readonly string[] }[];
  /** Members that the service sets, or that remit has no name for: seen, and not compared. */
  readonly notCompared: Plan["notCompared"];
  readonly calls: {
    readonly made: Readonly<Record<string, number>>;
    readonly ahead: Readonly<Record<string, number>>;
  };
  readonly estimate: Estimate;
  /** How people were counted; null where they were not. */
  readonly people:
    | (Pick<PlanImpact, "users" | "failed" | "calls"> & {
        readonly uncounted: readonly { readonly address: string; readonly why: string }[];
        /** Rules that stay as they are and follow what the plan changes, by their next run. */
        readonly follow: readonly {
          readonly address: string;
          readonly asksFor: readonly string[];
          readonly as: PlanImpact["follow"][number]["as"];
          readonly counts: PlanImpact["follow"][number]["counts"];
        }[];
        /** Members of the profile that rules ask for, and that none of the users has who were read. */
        readonly unknownAttributes: readonly {
          readonly address: string;
          readonly name: string;
          readonly nearest: string | null;
        }[];
        /** The conflicts whose groups the plan moves: who would newly hold both sides, and whose holders were not read; absent where it moves none. */
        readonly conflicts?: readonly {
          readonly address: string;
          readonly newly: PeopleCount;
          readonly isNegated: boolean;
          readonly unread: readonly string[];
        }[];
        /** Rules that are new, or held for no one, and hold for no one. */
        readonly withoutPeople: readonly {
          readonly address: string;
          readonly unmet: PlanImpact["withoutPeople"][number]["unmet"];
        }[];
        /** What the service does not document, and the numbers rest on. */
        readonly undocumented: readonly string[];
        /** Over all steps, each person once where that can be known. */
        readonly totals: PeopleTotals;
        /** The same by what people have of an attribute; none where steps that were counted are gone. */
        readonly spread: PlanImpact["spread"];
      })
    | null;
  /** What the run found besides the plan: in its settings, the state, the history and the manifests. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the plan says besides its steps and findings, in the order of reading. Every form shows each of them. */
  readonly statements: readonly Statement[];
  /** What the tenant has that is not managed; null where it was not looked for. The plan does not depend on it. */
  readonly unmanaged: UnmanagedReport | null;
}

/** Objects that neither a manifest nor the state knows, kind by kind. */
export interface UnmanagedReport {
  /** Whether all of them were looked for, or only those that the plan's own lists show. */
  readonly isWhole: boolean;
  /** Whether every list could be read. */
  readonly isRead: boolean;
  readonly kinds: readonly {
    readonly kind: string;
    /** Their count with its noun: `2 entitlement automations`. */
    readonly counted: string;
    readonly count: number;
    /** How many more `ignore:` leaves out. */
    readonly ignored: number;
    /** The apps that were looked at, of how many; null where all were, or where the kind belongs to none. */
    readonly within: AppsLookedAt | null;
    /** Whether nothing else manages them; otherwise an access profile may manage some. */
    readonly isSure: boolean;
    readonly objects: readonly {
      readonly key: string;
      readonly name: string;
      readonly app: string | null;
      /** What a manifest could say, as lines under `spec`. */
      readonly lines: readonly string[];
    }[];
  }[];
}

/** The labels of one manifest that are others than before. */
interface LabelChangeReport extends Omit<LabelChange, "address" | "span"> {
  readonly address: string;
  readonly place: StepReport["place"];
}

/** A guard's finding in a reader's words. */
export interface FindingReport {
  readonly guard: string;
  readonly address: string | null;
  readonly message: string;
  /** What an acknowledgement names with `of`, to cover this finding and no other. */
  readonly hash: string;
  readonly acknowledged: Finding["acknowledged"];
  /** The working tree's own settings that answer it once they are merged. */
  readonly proposed: Finding["proposed"];
  /** The flag that acknowledges it; null where no one can. */
  readonly flag: string | null;
}
