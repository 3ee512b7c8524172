import { createLogUpdate } from "log-update";
import type { Paint } from "../../../entry/messages.js";
import { advance, NO_PROGRESS, type Progress, renderProgress } from "../../../entry/reports.js";
import type { Output, World } from "../../outside/world.js";
import type { View } from "./view.js";

/** Milliseconds from one frame to the next. */
const EVERY = 100;
/** Running steps with a line of their own. */
const MOST = 10;
/** Lines below the running steps: how many more, throttling, the bar, and where the cursor stands. */
const BELOW = 4;

/** For a person: what runs and how far it is, drawn anew in place and gone at the end. */
export function liveView({ stderr, clock }: World, paint: Paint): View {
  // The cursor is never hidden, so that no end, not even a kill, leaves a terminal without one.
  const update = createLogUpdate(streamTo(stderr), { showCursor: true });
  const over = new AbortController();
  let progress: Progress = NO_PROGRESS;

  function draw(): void {
    const most = Math.min(MOST, Math.max(1, stderr.rows - BELOW));
    update(renderProgress(progress, { columns: stderr.columns, now: clock.elapsed(), paint, most }));
  }

  async function keepDrawing(): Promise<void> {
    while (!over.signal.aborted) {
      draw();
      await clock.sleep(EVERY, over.signal).catch(() => undefined);
    }
  }

  return {
    hear(event) {
      progress = advance(progress, event, clock.elapsed());
      if (event.type === "run started") void keepDrawing();
    },
    say: (text) => update.persist(text),
    end() {
      if (over.signal.aborted) return;
      over.abort();
      update.clear();
      update.done();
    },
  };
}

/** As much of a stream as is drawn on. */
function streamTo(output: Output): NodeJS.WritableStream {
  const stream = {
    isTTY: true,
    write: (text: string) => output.write(text),
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
  };
  return stream as unknown as NodeJS.WritableStream;
}
