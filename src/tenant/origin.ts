import { kinds } from "../kinds/index.js";
import { type AskedInterface, namesOn } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import type { Snapshot } from "../state/snapshot.js";
import type { MovedAddress } from "./movedAddress.js";
import { type Catalogue, makeCatalogue } from "./names/catalogue.js";
import { type Directory, makeDirectory } from "./names/directory.js";
import { type RecordedNames, recordedNamesOf } from "./names/recordedNames.js";
import type { Reader } from "./reader.js";
import type { Tenant } from "./tenant.js";

/** Where everything that a plan knows of the tenant comes from: the service, the project file and the state. */
export interface Origin {
  readonly asked: AskedInterface;
  /** Null where the service is not asked. */
  readonly reader: Reader | null;
  readonly directory: Directory;
  readonly snapshot: Snapshot | null;
  /** Addresses that are called otherwise now. */
  readonly moved: readonly MovedAddress[];
  /** What was written after that time may not be shown yet; null where everything is. */
  readonly lateSince: string | null;
  /** What the state knows the objects of a kind by. */
  readonly recordedNames: (kind: Kind) => RecordedNames;
}

/** An origin that asks the service, and the names that its lists show. */
export interface LiveOrigin extends Origin {
  readonly reader: Reader;
  readonly catalogue: Catalogue;
  /** Names of apps given in the project file. */
  readonly apps: Sources["apps"];
}

/** What an origin is opened with. */
export interface Sources {
  readonly asked: AskedInterface;
  /** Null does not ask the service: everything is as recorded. */
  readonly tenant: Tenant | null;
  readonly snapshot: Snapshot | null;
  /** Addresses that are called otherwise now. */
  readonly moved?: readonly MovedAddress[];
  /** What was written after that time may not be shown yet. */
  readonly lateSince?: string;
  /** Names of apps given in the project file. */
  readonly apps: Readonly<Record<string, string>>;
  /** Called after each read, with the number of reads that are done and of all that are known so far. */
  readonly progress: (done: number, total: number) => void;
}

/** Opens the sources of a part of the run that cannot do without the service. */
export function openLive(sources: Sources & { readonly tenant: Tenant }): LiveOrigin {
  const reader = sources.tenant.reader(sources.progress);
  return { ...originOver(reader, sources), reader, catalogue: makeCatalogue(reader), apps: sources.apps };
}

/** Opens the sources of one plan; each list of the service is read once, when it is first needed. */
export function openOrigin(sources: Sources): Origin {
  return originOver(sources.tenant?.reader(sources.progress) ?? null, sources);
}

function originOver(
  reader: Reader | null,
  { asked, snapshot, moved = [], lateSince, apps }: Sources,
): Origin {
  const memories = new Map(kinds.map((kind) => [kind.name, recordedNamesOf(kind, snapshot)]));
  const remembered = (kind: Kind) => memories.get(kind.name) ?? recordedNamesOf(kind, snapshot);
  const directory = makeDirectory({
    reader,
    given: apps,
    on: namesOn(asked),
    remembered,
  });
  return {
    asked,
    reader,
    directory,
    snapshot,
    moved,
    lateSince: lateSince ?? null,
    recordedNames: remembered,
  };
}
