import type { Event } from "../../../entry/session.js";

/** Shows an apply while it goes on. */
export interface View {
  readonly hear: (event: Event) => void;
  /** Says something that is not of the apply, without spoiling what is shown. */
  readonly say: (text: string) => void;
  /** Leaves the terminal as it was; a second time does nothing. */
  readonly end: () => void;
}
