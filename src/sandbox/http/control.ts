import { isObject, type Json } from "../../model/json.js";
import { type Caller, refusalOf } from "../answer/caller.js";
import type { Faults } from "../faults/faults.js";
import { readPlan, readRule } from "../faults/plan.js";
import type { Log, Query } from "../log.js";
import { say } from "../tenant/document.js";
import { Unreadable } from "../tenant/reading.js";
import type { Tenant } from "../tenant/tenant.js";
import type { Request, Response } from "./exchange.js";

/** What can be looked at and changed from beside the service. */
interface Controls {
  readonly faults: Faults;
  readonly log: Log;
  readonly tenant: () => Tenant;
  /** What every request must carry, where the sandbox was given a token. */
  readonly token: string | undefined;
  /** Puts everything back to how it was at the start. */
  readonly reset: () => void;
}

/** What every path begins with that is about the sandbox itself, and not the service. */
export const CONTROL = "/_sandbox/";

/** Answers what is asked of the sandbox itself, where the caller may ask it. */
export function control(request: Request, caller: Caller, controls: Controls): Response {
  const refused = refusalOf(caller, controls.token);
  if (refused !== null) return json(refused.status, { message: refused.message });
  const what = request.path.slice(CONTROL.length);
  const answer = Object.hasOwn(ANSWERS, what) ? ANSWERS[what] : undefined;
  if (answer === undefined) return json(404, { message: `there are ${Object.keys(ANSWERS).join(", ")}` });
  try {
    return answer(request, controls) ?? json(405, { message: `not by ${request.method}` });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return json(400, { message: error.problems.map(say).join("; ") });
  }
}

type Answer = (request: Request, controls: Controls) => Response | undefined;

const ANSWERS: Readonly<Record<string, Answer>> = {
  faults: answerFaults,
  log: answerLog,
  creates: ({ method }, { log }) => (method === "GET" ? json(200, { creates: log.creates() }) : undefined),
  objects: answerObjects,
  reset: answerReset,
};

function answerFaults({ method, body }: Request, { faults }: Controls): Response | undefined {
  if (method === "PUT") faults.set(readPlan(parse(body), []));
  else if (method === "POST") faults.plant(readRule(parse(body), []));
  else if (method !== "GET") return undefined;
  return json(200, { ...faults.plan, strikes: faults.strikes });
}

function answerLog({ method, query }: Request, { log }: Controls): Response | undefined {
  if (method === "DELETE") log.clear();
  else if (method !== "GET") return undefined;
  return json(200, { entries: log.entries(readQuery(query)) });
}

function answerObjects({ method, query }: Request, { tenant }: Controls): Response | undefined {
  if (method !== "GET") return undefined;
  const kind = query.get("kind");
  const all = tenant();
  return json(
    200,
    kind === null ? all : Object.fromEntries(Object.entries(all).filter(([name]) => name === kind)),
  );
}

function answerReset({ method }: Request, { reset }: Controls): Response | undefined {
  if (method !== "POST") return undefined;
  reset();
  return json(200, {});
}

function readQuery(query: URLSearchParams): Query {
  return Object.fromEntries(
    [...query].map(([name, value]) => {
      if (name === "written" || name === "delivered") return [name, value === "true"];
      return [name, name === "status" || name === "after" ? Number(value) : value];
    }),
  );
}

function parse(body: Uint8Array): Json {
  try {
    const read = JSON.parse(Buffer.from(body).toString()) as Json;
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

function json(status: number, body: unknown): Response {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
