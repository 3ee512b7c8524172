// Runs a line of the command from its sources. The file that SHOWN_AT names gets the asynchronous stack of the moment at
// which the plan is printed, the innermost function first.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { start } from "../../src/bin/start.js";

const { SHOWN_AT = "" } = process.env;
const session = new Session();
session.connect();
session.post("Runtime.enable");
session.post("Debugger.enable");
session.post("Debugger.setAsyncCallStackDepth", { maxDepth: 1_000 });
const frames = [];
session.on("Runtime.consoleAPICalled", ({ params }) => params.stackTrace && follow(params.stackTrace));

/** @param {import("node:inspector").Runtime.StackTrace} stack */
function follow({ callFrames, parent, parentId }) {
  for (const { functionName, url, lineNumber } of callFrames)
    frames.push(`${functionName} ${url}:${lineNumber + 1}`);
  if (parent !== undefined) follow(parent);
  else if (parentId !== undefined)
    session.post("Debugger.getStackTrace", { stackTraceId: parentId }, (_, { stackTrace }) =>
      follow(stackTrace),
    );
}

const write = process.stdout.write.bind(process.stdout);
let isShown = false;
let printed = "";
process.stdout.write = (text, ...rest) => {
  printed += text;
  if (!isShown && /^Plan: /m.test(printed)) {
    isShown = true;
    console.debug("");
    writeFileSync(SHOWN_AT, frames.join("\n"));
  }
  return write(text, ...rest);
};
await start(process.argv.slice(2));
