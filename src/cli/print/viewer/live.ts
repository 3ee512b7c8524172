import { createLogUpdate } from "log-update";
import { advance, NO_PROGRESS, type Progress } from "../../../report/progress/progress.js";
import { renderProgress } from "../../../report/progress/render.js";
import type { Paint } from "../../../report/text/paint.js";
import type { Output, World } from "../../world/world.js";
import type { Viewer } from "./view.js";

/** Milliseconds from one frame to the next. */
const FRAME = 100;
/** Running steps with a line of their own. */
const MOST = 10;
/** Lines below the running steps: how many more, throttling, the bar, and the line of the cursor. */
const BELOW = 4;

/** For a person: the running steps and the progress, redrawn in place and removed at the end. */
export function liveView({ stderr, clock }: World, paint: Paint): Viewer {
  // The cursor is never hidden, so that even a kill leaves the terminal with one.
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
      await clock.sleep(FRAME, over.signal).catch(() => undefined);
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

/** The parts of a stream that drawing needs. */
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
