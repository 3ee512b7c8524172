import { historyOf, recordsAbout } from "../../apply/history.js";
import { type Address, byAddress, formatAddress, parseAddress } from "../../model/address.js";
import { nameOfEntry } from "../../state/names.js";
import { readStateAddress } from "../../state/stores.js";
import { openStore } from "../open/store.js";
import type { Context } from "../run/context.js";
import type { SettingFlags } from "../settings/flags.js";
import { openProject } from "../settings/project.js";

/** The addresses in the state that an unfinished command line names; a former object has its key in it. */
export function rememberedAddresses(context: Context): Promise<readonly string[]> {
  return offer(() => addressesInState(context));
}

/** The addresses in the state, as commands name its objects; none where that would need a network. */
export async function addressesInState({ world, words }: Context): Promise<readonly Address[]> {
  const { value: project } = await openProject(world, flagsAmong(words), "unchecked");
  if (readStateAddress(project.settings.state.value).as !== "file") return [];
  const { snapshot } = await (await openStore(world, project)).read();
  const { entries = {}, uncertain = {} } = snapshot ?? {};
  const named = Object.values(entries).flatMap((entry) => parseAddress(nameOfEntry(entry)) ?? []);
  return [...named, ...Object.values(uncertain).map(({ address }) => address)];
}

/** The runs in the history, the newest first; where an unfinished command line names objects, those about them. */
export function rememberedRuns(context: Context): Promise<readonly string[]> {
  return runsInHistory(context).catch(() => []);
}

async function runsInHistory({ world, words }: Context): Promise<readonly string[]> {
  const { value: project } = await openProject(world, flagsAmong(words), "unchecked");
  if (readStateAddress(project.settings.state.value).as !== "file") return [];
  const store = await openStore(world, project);
  const { snapshot } = await store.read();
  const found = await historyOf(store, snapshot, { about: null, since: null });
  const about = words.flatMap((word) => parseAddress(word.split("#")[0] ?? "") ?? []).map(formatAddress);
  const asked = about.length === 0 ? found : about.flatMap((name) => recordsAbout(found, name));
  return [...new Set(asked.map(([{ run }]) => run))].filter((run) => /^[\w-]+$/.test(run));
}

function flagsAmong(words: readonly string[]): SettingFlags {
  const state = valueAfter("--state", words);
  return { ...contextAmong(words), ...(state !== undefined && { state }) };
}

/** The context that an unfinished command line names. */
export function contextAmong(words: readonly string[]): Pick<SettingFlags, "context"> {
  const context = valueAfter("--context", words);
  return context === undefined ? {} : { context };
}

function valueAfter(flag: string, words: readonly string[]): string | undefined {
  const place = words.lastIndexOf(flag);
  const joined = words.findLast((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
  return place < 0 ? joined : words[place + 1];
}

/** Names that a shell can insert unquoted. Every honest name has this form, with a key or without. */
const HARMLESS =
  /^[A-Za-z]+\/[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[a-z0-9-]+\])?(?:@[A-Za-z0-9_-][A-Za-z0-9._/-]*)?$/;

/** Addresses to choose from; none if they cannot be read, because the command itself reports the error. */
export async function offer(read: () => Promise<readonly Address[]>): Promise<readonly string[]> {
  const addresses = await read().catch(() => []);
  const texts = [...addresses].sort(byAddress).map(formatAddress);
  return [...new Set(texts)].filter((text) => HARMLESS.test(text));
}
