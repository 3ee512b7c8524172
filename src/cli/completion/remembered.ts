import { type Address, parseAddress } from "../../model/address.js";
import { readStateAddress } from "../../state/address.js";
import { nameOfEntry } from "../../state/names.js";
import { openStore } from "../open/store.js";
import type { Context } from "../run/context.js";
import type { SettingFlags } from "../settings/flags.js";
import { openProject } from "../settings/project.js";
import { offer } from "./offer.js";

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
