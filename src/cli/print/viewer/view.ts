import type { Event } from "../../../apply/event.js";

/** Shows an apply while it runs. */
export interface Viewer {
  readonly hear: (event: Event) => void;
  /** Prints a text that is not part of the apply without damaging what is shown. */
  readonly say: (text: string) => void;
  /** Leaves the terminal as it was; a second time does nothing. */
  readonly end: () => void;
}
