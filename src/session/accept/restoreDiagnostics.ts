import type { RunRecord } from "../../apply/runRecord.js";
import type { Unit } from "../../diff/own.js";
import { short } from "../../manifest/git/earlierProject.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { ValueBefore, ValueOrigin } from "./before.js";

type Run = Pick<RunRecord, "run" | "at">;

/** What a restore says, one function for each diagnostic. */
export const restoreDiagnostics = {
  noHistory: (name: string): Diagnostic => ({
    code: "state/no-history",
    severity: "error",
    message: `${name} keeps no history of runs, so remit does not know what an object had before one`,
    hint: "Restore the manifest with git. To have a history, keep the state in a file, git, S3 or PostgreSQL (docs/stores.md).",
  }),

  noRun({ address, place }: Resource, run: string | null, field: string | null): Diagnostic {
    const name = formatAddress(address);
    const what = field === null ? name : `${name}#${field}`;
    return {
      code: "accept/no-run",
      severity: "error",
      message:
        run === null ? `no run in the history changed ${what}` : `the run ${run} was not about ${name}`,
      ...place([]),
      hint: `To see the runs that were about it: remit history ${name}`,
    };
  },

  created({ address, place }: Resource, run: Run): Diagnostic {
    return {
      code: "accept/not-restored",
      severity: "error",
      message: `${formatAddress(address)} was not there before ${named(run)}: that run created it`,
      ...place([]),
      hint: "To have it removed, remove its manifest.",
    };
  },

  unchanged({ address, place }: Resource, run: Run, field: string | null): Diagnostic {
    const name = formatAddress(address);
    return {
      code: "accept/not-restored",
      severity: "error",
      message: `${name}: ${named(run)} changed ${field === null ? "no field of it" : `other fields than ${field}`}`,
      ...place([]),
      hint: `To see what each run changed: remit history ${name}`,
    };
  },

  noCommit({ address, place }: Resource, run: Run): Diagnostic {
    return {
      code: "accept/no-commit",
      severity: "error",
      message: `${formatAddress(address)}: neither ${named(run)} nor the run before it was made from a commit`,
      ...place([]),
      hint: "Write the values by hand. A run names its commit where nothing in its folder differs from it.",
    };
  },

  noManifest(address: Address, commit: string): Diagnostic {
    return {
      code: "accept/no-commit",
      severity: "error",
      message: `${formatAddress(address)} has no manifest of that address at ${short(commit)}`,
      hint: `To find its manifest under another address: git log -p -S '${address.name}'`,
    };
  },

  /** The run that deleted an object names no commit, and neither does the one before it. */
  noCommitOf: (address: Address, run: Run): Diagnostic => ({
    code: "accept/no-commit",
    severity: "error",
    message: `${formatAddress(address)}: neither ${named(run)}, which deleted it, nor the run before it was made from a commit`,
    hint: `Write the manifest by hand. To see what the history has of its values: remit history ${run.run}`,
  }),

  /** A manifest that does not stand in a YAML document of its own. */
  notAlone: (address: Address, commit: string): Diagnostic => ({
    code: "accept/not-restored",
    severity: "error",
    message: `${formatAddress(address)}: its manifest at ${short(commit)} is not a YAML document of its own`,
    hint: `A shape makes it, or it stands in JSON. Take it from git: git show ${commit}`,
  }),

  /** The manifest of an object that a run deleted, and what of it the record does not prove. */
  manifestFrom(address: Address, commit: string, run: Run, unproved: readonly Unit[]): Diagnostic {
    const what = `${formatAddress(address)}: its manifest from ${short(commit)}, as before ${named(run)}, which deleted it`;
    const hint = `To see that run: remit history ${run.run}`;
    if (unproved.length === 0)
      return { code: "accept/restored", severity: "note", message: `${what}: proved by the record`, hint };
    const fields = unproved.map(({ name }) => name).join(", ");
    const message = `${what}. The record does not show that the object had these values then: ${fields}`;
    return { code: "accept/not-proved", severity: "warning", message, hint };
  },

  unclear({ address, place }: Resource, commit: string): Diagnostic {
    return {
      code: "accept/not-restored",
      severity: "error",
      message: `${formatAddress(address)}: remit cannot tell what a name in its manifest at ${short(commit)} meant`,
      ...place([]),
      hint: "Write the values by hand, with the names of today.",
    };
  },

  otherThen({ address, place, spec }: Resource, unit: Unit, run: Run): Diagnostic {
    return {
      code: "accept/not-restored",
      severity: "error",
      message: `${formatAddress(address)}: ${unit.name} had another value before ${named(run)} than any manifest that remit knows`,
      ...place(writtenAt(unit, spec)),
      hint: "It was changed in the tenant before that run. The record has a hash of that value and not the value: write it by hand.",
    };
  },

  /** Where a value comes from, and what shows that it is the right one. */
  from({ address, place, spec }: Resource, { unit, of, isProved }: ValueBefore, run: Run): Diagnostic {
    const fields = unit.members.filter((member) => Object.hasOwn(of.fields, member));
    const what = `${formatAddress(address)}: ${fields.length === 0 ? unit.name : fields.join(", ")}`;
    const hint = `To see that run: remit history ${run.run}`;
    if (!isProved)
      return {
        code: "accept/not-proved",
        severity: "warning",
        message: `${what} from ${fromWhere(of.origin)}, and the record of ${named(run)} does not show what was there before`,
        ...place(writtenAt(unit, spec)),
        hint: "Compare it with what you know of that time before you merge it.",
      };
    const message =
      of.origin.as === "record"
        ? `${what} was not set before ${named(run)}, as the record proves`
        : `${what} as before ${named(run)}, from ${fromWhere(of.origin)}: proved by the record`;
    return { code: "accept/restored", severity: "note", message, hint };
  },
};

/** Where a field, or one of a choice, is written. */
function writtenAt({ name, members }: Unit, spec: JsonObject): Path {
  return ["spec", members.find((member) => Object.hasOwn(spec, member)) ?? name];
}

function fromWhere(origin: ValueOrigin): string {
  switch (origin.as) {
    case "record":
      return "the record";
    case "texts":
      return "the values that are kept with the record";
    case "state":
      return "the state, which has what was there before remit managed it";
    case "commit":
      return `the manifest at ${short(origin.commit)}`;
    default:
      return origin satisfies never;
  }
}

function named({ run, at }: Run): string {
  return `the run ${run} of ${at.slice(0, 10)}`;
}
