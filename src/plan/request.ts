import type { AskedInterface } from "../kinds/interface.js";
import type { EarlierProject, ProjectAtCommit } from "../manifest/git/earlierProject.js";
import type { Unapplied } from "../manifest/git/unapplied.js";
import type { ProjectLoad } from "../manifest/project.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Snapshot } from "../state/snapshot.js";
import type { MovedAddress } from "../tenant/movedAddress.js";
import type { Rules } from "./guards/rules.js";
import type { Counting } from "./people/impact.js";
import type { Mode } from "./plan.js";
import type { Removals } from "./removed/decision.js";

/** The history of a project in its checkout. */
export interface Mainline {
  /** The folder of the project in the checkout: the state records its last commit by it. */
  readonly folder: string;
  /** What was merged after that commit, up to another; null for the end of the main branch. */
  readonly after: (applied: string, end: string | null) => Promise<Unapplied | null>;
}

/** What a plan is asked for with. */
export interface Request {
  /** What the author wrote, in files and in settings. */
  readonly project: {
    /** What the state calls the project; null where it has no name. */
    readonly name: string | null;
    readonly manifests: ProjectLoad;
    readonly commit: string | null;
    readonly removals: Removals;
    /** Addresses that are called otherwise now. */
    readonly moved: readonly MovedAddress[];
    /** What was found before: in the settings and the history. A plan keeps it; absent for nothing. */
    readonly found?: readonly Diagnostic[];
  };
  readonly history: {
    /** The project as the commit has it that this change is compared with; null where it is not. */
    readonly since: EarlierProject | null;
    /** Whether the state says which commit that is. */
    readonly isRecorded?: boolean;
    /** The project as the commit of the settings in force has it; null where no guard asks for its labels. */
    readonly reviewed: ProjectAtCommit | null;
    /** Finds what was merged after the last commit that was applied completely; null without a history. */
    readonly mainline: Mainline | null;
  };
  readonly tenant: {
    /** What the state and the plan call it. */
    readonly server: string;
    readonly interface: AskedInterface;
    /** How many calls may be under way at once. */
    readonly width: number;
    /** What was written after that time may not be shown yet: RFC 3339, UTC. Absent where everything is. */
    readonly lateSince?: string;
    /** Milliseconds for which the service may not show owners that were written; none when absent. */
    readonly ownersLag?: number;
  };
  readonly mode: Mode;
  readonly rules: Rules;
  /** Reads that no step depends on. */
  readonly optional: {
    /** How people are counted; null to count none. */
    readonly counting: Counting | null;
    /** The most calls that look up what ids are called that are only shown; 0 for none. */
    readonly nameCalls: number;
  };
}

/** What the store remembers when a run starts. */
export interface Recalled {
  /** Null where the store contains no state. */
  readonly snapshot: Snapshot | null;
  /** Whether a state existed that is now missing. */
  readonly isStateLost: boolean;
  /** The server's store that never had a state; absent otherwise, and where the state is in a file. */
  readonly firstRunIn?: string;
}
