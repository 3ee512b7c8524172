import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { Answer, Message } from "../../src/model/exchange.js";

/** A role of a user in a project of GitLab. */
export type Role = "Reporter" | "Developer" | "Maintainer";

/** A substitute for the Terraform state of GitLab. */
export interface GitLabState {
  /** Answers one request, as the server would. */
  answer(message: Message): Answer;
  /** Serves the same on this machine; gives the address of its states. */
  serve(): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Every document that was written to a state. */
  written(path: string): readonly string[];
  /** The ID of the lock of a state. */
  lockOf(path: string): string | null;
}

interface State {
  readonly documents: string[];
  lock: { readonly ID: string; readonly Who: string; readonly Created: string } | null;
}

const STATE = /^\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+/;

/**
 * A SUBSTITUTE, not GitLab: written from the documentation of GitLab-managed Terraform state and from what its public
 * source says of the API (`lib/api/terraform/state.rb`). A state that is missing is answered with 404. A lock that is
 * held, also by the same ID, is answered with 409 and the holder's ID, Who and Created beside what the asker sent. So is
 * a write with another ID than the lock's, also where no lock is held. A user whose role is too low gets 403.
 */
export function gitlabState(users: Readonly<Record<string, Role>>): GitLabState {
  const states = new Map<string, State>();
  const stateAt = (path: string): State => {
    const found = states.get(path) ?? { documents: [], lock: null };
    states.set(path, found);
    return found;
  };

  function answer({ method, url, headers, body }: Message): Answer {
    const { pathname, searchParams } = new URL(url);
    const [path] = STATE.exec(pathname) ?? [];
    const user = Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64").toString();
    const role = users[user];
    if (role === undefined) return reply(401, { message: "401 Unauthorized" });
    if (path === undefined) return reply(404, { message: "404 Not Found" });
    if (role === "Reporter") return reply(403, { message: "403 Forbidden" });
    const isLock = pathname === `${path}/lock`;
    if (method === "GET") {
      const document = stateAt(path).documents.at(-1);
      return document === undefined ? reply(404, { message: "404 Not Found" }) : reply(200, document);
    }
    if (role !== "Maintainer") return reply(403, { message: "403 Forbidden" });
    const state = stateAt(path);
    const id = searchParams.get("ID");
    if (isLock && method === "POST") {
      const info = JSON.parse(body ?? "{}");
      const wanted = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];
      if (wanted.some((name) => typeof info[name] !== "string") || info.ID.length > 255)
        return reply(400, { error: "a member is missing or too long" });
      const status = state.lock === null ? 200 : 409;
      state.lock ??= { ID: info.ID, Who: user.split(":")[0] ?? "", Created: "2026-01-01T00:00:00.000Z" };
      return reply(status, { ...info, ...state.lock });
    }
    const isHeldBy = (state.lock?.ID ?? null) === id;
    if (isLock && method === "DELETE") {
      if (id !== null && !isHeldBy) return reply(409, null);
      state.lock = null;
      return reply(200, null);
    }
    if (method !== "POST") return reply(405, { error: "405 Not Allowed" });
    if (!isHeldBy) return reply(409, null);
    const { serial } = JSON.parse(body ?? "{}");
    if (typeof serial !== "number") return reply(422, { message: "no serial" });
    state.documents.push(body ?? "");
    return reply(200, null);
  }

  return {
    answer,
    written: (path) => stateAt(path).documents,
    lockOf: (path) => stateAt(path).lock?.ID ?? null,
    async serve() {
      const server = createServer(async (request, response) => {
        const parts: Uint8Array[] = [];
        for await (const part of request) parts.push(part);
        const given = answer({
          method: request.method ?? "GET",
          url: `http://127.0.0.1${request.url}`,
          headers: request.headers as Record<string, string>,
          body: parts.length === 0 ? undefined : Buffer.concat(parts).toString(),
        });
        if (given.as !== "reply") return;
        response.writeHead(given.status, { "content-type": "application/json" });
        response.end(given.body);
      });
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      return {
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((closed) => {
            server.closeAllConnections();
            server.close(() => closed());
          }),
      };
    },
  };
}

function reply(status: number, body: unknown): Answer {
  const text = typeof body === "string" ? body : body === null ? "" : JSON.stringify(body);
  return { as: "reply", status, headers: {}, body: new TextEncoder().encode(text), took: 0 };
}
