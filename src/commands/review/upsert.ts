import type { Author, Forge, ForgeAccount, PullComment } from "../../forge/forge.js";
import { ApiError } from "../../tenant/client/error.js";

/** What became of a comment. */
export type Posted = "created" | "edited" | "unchanged";

/** A comment that is found again by its marker, and the text that it gets in place of an earlier one. */
export interface CommentText {
  /** The first line of the comment. */
  readonly marker: string;
  /** The whole comment, with what came before it where there is an earlier one. */
  readonly body: (before: string | null) => string;
}

/**
 * Writes a comment, or edits the earlier one in place: the oldest that has the marker and that the same account wrote. A
 * comment of another account is never edited. Where two jobs wrote one at the same time, the oldest stays.
 */
export async function upsert(forge: Forge, number: number, text: CommentText): Promise<Posted> {
  const account = await forge.account();
  const earlier = account === null ? null : await ownComment(forge, number, text, account);
  if (earlier !== null) return edit(forge, number, earlier, text);
  const added = await add(forge, number, text, account);
  if (added.author === null) return "created";
  // Where the forge does not tell the account, only a comment shows it. Another job may have written one meanwhile.
  const first = await ownComment(forge, number, text, added.author);
  if (first === null || first.id > added.id) return "created";
  if (first.id < added.id) await forge.removeComment(number, added.id);
  else if (saysTheSame(first, text.body(null))) return "created";
  return edit(forge, number, first, text);
}

async function edit(forge: Forge, number: number, earlier: PullComment, text: CommentText): Promise<Posted> {
  const body = text.body(earlier.body);
  if (body === earlier.body) return "unchanged";
  await forge.editComment(number, earlier.id, body);
  return "edited";
}

/**
 * Writes the comment; where the reply is lost, looks for the comment before it counts as missing. It is one that the account
 * wrote meanwhile. Where the forge does not tell the account, only the very text shows whose comment it is.
 */
async function add(
  forge: Forge,
  number: number,
  text: CommentText,
  account: ForgeAccount | null,
): Promise<PullComment> {
  const before = new Set((await forge.comments(number)).map(({ id }) => id));
  const body = text.body(null);
  try {
    return await forge.addComment(number, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.next !== "find out") throw error;
    const isOwn = (one: PullComment) =>
      account === null ? saysTheSame(one, body) : hasMarker(one, text) && isOf(one.author, account);
    const found = (await forge.comments(number)).find((one) => !before.has(one.id) && isOwn(one));
    if (found === undefined) throw error;
    return found;
  }
}

/** The oldest comment with the marker that an account wrote. */
async function ownComment(
  forge: Forge,
  number: number,
  text: CommentText,
  account: ForgeAccount,
): Promise<PullComment | null> {
  const own = (await forge.comments(number)).filter(
    (one) => hasMarker(one, text) && isOf(one.author, account),
  );
  return own.toSorted((one, other) => one.id - other.id)[0] ?? null;
}

/** Whether an account wrote something. */
export function isOf(author: Author | null, { id, login }: ForgeAccount): boolean {
  return author !== null && author.login === login && (id === null || author.id === id);
}

function hasMarker({ body }: PullComment, { marker }: CommentText): boolean {
  return normal(body).startsWith(`${marker}\n`);
}

function saysTheSame({ body }: PullComment, text: string): boolean {
  return normal(body).trimEnd() === normal(text).trimEnd();
}

/** A text as remit writes it: a forge may end its lines in another way. */
function normal(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
