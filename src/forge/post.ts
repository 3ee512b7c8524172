import { ApiError } from "../api/error.js";
import { BESIDE, type CommentContents, commentText } from "./commentText.js";
import { type Forge, LONGEST } from "./forge.js";
import { type Posted, upsert } from "./upsert.js";

/** What a comment is about, and its text within so many bytes. */
export interface Posting extends Omit<CommentContents, "text"> {
  readonly text: (maxBytes: number) => string;
}

/** Writes a comment or edits the earlier one, within what a forge takes; a shorter one where it takes less than it says. */
export async function post(forge: Forge, number: number, { text, ...about }: Posting): Promise<Posted> {
  const within = (maxBytes: number) => upsert(forge, number, commentText({ ...about, text: text(maxBytes) }));
  try {
    return await within(LONGEST.comment - BESIDE);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return within(LONGEST.comment / 3);
  }
}
