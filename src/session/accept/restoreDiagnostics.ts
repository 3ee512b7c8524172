import type { RunRecord } from "../../apply/runRecord.js";
import type { Unit } from "../../diff/own.js";
import { short } from "../../manifest/git/earlierProject.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { say } from "../../words/say.js";
import type { ValueBefore, ValueOrigin } from "./before.js";

type Run = Pick<RunRecord, "run" | "at">;

/** What a restore says, one function for each diagnostic. */
export const restoreDiagnostics = {
  noHistory: (name: string): Diagnostic => say("state/no-history#accept", { name }),

  noRun({ address, place }: Resource, run: string | null, field: string | null): Diagnostic {
    const name = formatAddress(address);
    const what = field === null ? name : `${name}#${field}`;
    return say(
      run === null ? "accept/no-run#any" : "accept/no-run#named",
      { what, name, run: run ?? "" },
      place([]),
    );
  },

  created({ address, place }: Resource, run: Run): Diagnostic {
    return say("accept/not-restored#created", { address, run: named(run) }, place([]));
  },

  unchanged({ address, place }: Resource, run: Run, field: string | null): Diagnostic {
    const name = formatAddress(address);
    return say(
      "accept/not-restored#unchanged",
      { name, run: named(run), changed: field === null ? "no field of it" : `other fields than ${field}` },
      place([]),
    );
  },

  noCommit({ address, place }: Resource, run: Run): Diagnostic {
    return say("accept/no-commit#ofRun", { address, run: named(run) }, place([]));
  },

  noManifest(address: Address, commit: string): Diagnostic {
    return say("accept/no-commit#noManifest", { address, commit: short(commit), name: address.name });
  },

  /** The run that deleted an object names no commit, and neither does the one before it. */
  noCommitOf: (address: Address, run: Run): Diagnostic =>
    say("accept/no-commit#ofDelete", { address, run: named(run), id: run.run }),

  /** A manifest that does not stand in a YAML document of its own. */
  notAlone: (address: Address, commit: string): Diagnostic =>
    say("accept/not-restored#notAlone", { address, commit: short(commit), whole: commit }),

  /** The manifest of an object that a run deleted, and what of it the record does not prove. */
  manifestFrom(address: Address, commit: string, run: Run, unproved: readonly Unit[]): Diagnostic {
    const what = `${formatAddress(address)}: its manifest from ${short(commit)}, as before ${named(run)}, which deleted it`;
    if (unproved.length === 0) return say("accept/restored#manifest", { what, id: run.run });
    return say("accept/not-proved#manifest", { what, fields: unproved.map(({ name }) => name), id: run.run });
  },

  unclear({ address, place }: Resource, commit: string): Diagnostic {
    return say("accept/not-restored#unclearName", { address, commit: short(commit) }, place([]));
  },

  otherThen({ address, place, spec }: Resource, unit: Unit, run: Run): Diagnostic {
    return say(
      "accept/not-restored#otherThen",
      { address, name: unit.name, run: named(run) },
      place(writtenAt(unit, spec)),
    );
  },

  /** Where a value comes from, and what shows that it is the right one. */
  from({ address, place, spec }: Resource, { unit, of, isProved }: ValueBefore, run: Run): Diagnostic {
    const fields = unit.members.filter((member) => Object.hasOwn(of.fields, member));
    const what = `${formatAddress(address)}: ${fields.length === 0 ? unit.name : fields.join(", ")}`;
    if (!isProved)
      return say(
        "accept/not-proved#value",
        { what, origin: fromWhere(of.origin), run: named(run) },
        place(writtenAt(unit, spec)),
      );
    return say(of.origin.as === "record" ? "accept/restored#unset" : "accept/restored#value", {
      what,
      run: named(run),
      id: run.run,
      origin: fromWhere(of.origin),
    });
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
