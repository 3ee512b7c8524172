import { describe, expect, it } from "vitest";
import { upsert } from "../../src/commands/review/upsert.js";
import type { ForgeName } from "../../src/forge/forge.js";
import { json } from "../fakes/server.js";
import { connectTo, pipelineOf } from "./connect.js";
import { BOT, HEAD, OTHER, PULL, REPOSITORY, startStandIn } from "./standIn.js";

const FORGES: readonly ForgeName[] = ["github", "gitlab", "gitea"];
const MARKER = "<!-- remit:test -->";
const note = (text: string) => ({ marker: MARKER, body: () => `${MARKER}\n${text}` });

describe.each(FORGES)("%s", (name) => {
  const start = async (users = [BOT, OTHER]) => {
    const standIn = await startStandIn(name, users);
    return { standIn, forge: connectTo(pipelineOf(name, standIn)) };
  };

  it("writes one comment, and edits it in place", async () => {
    const { standIn, forge } = await start();
    expect(await upsert(forge, 41, note("one"))).toBe("created");
    expect(await upsert(forge, 41, note("two"))).toBe("edited");
    expect(await upsert(forge, 41, note("two"))).toBe("unchanged");
    expect(standIn.comments.map(({ body }) => body)).toEqual([`${MARKER}\ntwo`]);
  });

  it("never edits a comment of another account, whatever it begins with", async () => {
    const { standIn, forge } = await start();
    const theirs = standIn.comment(`${MARKER}\nforged`, OTHER);
    standIn.comment(`about ${MARKER}\nin another place`, BOT);
    standIn.comment(`${MARKER}\nof nobody`, null);
    expect(await upsert(forge, 41, note("one"))).toBe("created");
    expect(await upsert(forge, 41, note("two"))).toBe("edited");
    expect(theirs.body).toBe(`${MARKER}\nforged`);
    expect(standIn.comments).toHaveLength(4);
  });

  it("says who agrees now: a comment takes nothing back, a later word does", async () => {
    const { standIn, forge } = await start();
    const [ann, ben, cleo] = ["ann", "ben", "cleo"].map((login, id) => ({ ...OTHER, id: id + 20, login }));
    if (ann === undefined || ben === undefined || cleo === undefined) throw new Error("three reviewers");
    const at = (minute: number) => `2026-02-03T10:0${minute}:00Z`;
    standIn.reviews.push(
      { by: ann, state: "CHANGES_REQUESTED", at: at(1) },
      { by: ann, state: "APPROVED", at: at(2) },
      { by: ann, state: "COMMENTED", at: at(3) },
      { by: ben, state: "APPROVED", at: at(4) },
      { by: ben, state: "CHANGES_REQUESTED", at: at(5) },
      { by: cleo, state: "DISMISSED", at: at(6) },
    );
    expect(await forge.approvals(41)).toEqual([{ by: "ann", at: at(2), commit: HEAD }]);
    if (name !== "gitlab") return;
    // GitLab names no commit: it is the head of that time. It is not known in the moment of a push, and without a time.
    const [pull = PULL] = standIn.pulls;
    const heads = [
      [at(0), at(3), HEAD],
      [at(0), at(1), "b2".repeat(20)],
      [at(0), at(2), null],
      [at(3), at(4), null],
    ] as const;
    for (const [first, second, commit] of heads) {
      const versions = [
        { sha: HEAD, at: first },
        { sha: "b2".repeat(20), at: second },
      ];
      standIn.pulls.splice(0, 1, { ...pull, versions });
      expect(await forge.approvals(41)).toEqual([{ by: "ann", at: at(2), commit }]);
    }
    standIn.reviews.splice(0, standIn.reviews.length, { by: ann, state: "APPROVED", at: null });
    expect(await forge.approvals(41)).toEqual([{ by: "ann", at: null, commit: null }]);
  });

  it("says which branch is the default one, and which branches an environment takes jobs of, where it can", async () => {
    const { standIn, forge } = await start();
    expect(await forge.defaultBranch()).toBe("main");
    standIn.branches = { default: "trunk", ofTenant: "each" };
    expect(await forge.defaultBranch()).toBe("trunk");
    const rule = async (ofTenant: typeof standIn.branches.ofTenant, branch = "trunk") => {
      standIn.branches = { default: "trunk", ofTenant };
      return forge.branchRule("tenant", branch);
    };
    const shown = (known: object) => (name === "github" ? known : { as: "unknown" });
    const some = (branches: string, isTaken: boolean) => shown({ as: "some", branches, isTaken });
    expect(await rule("each")).toEqual(shown({ as: "every branch" }));
    expect(await rule("protected")).toEqual(some("protected branches", true));
    expect(await rule("protected", "topic")).toEqual(some("protected branches", false));
    expect(await rule(["trunk", "release/*"])).toEqual(some("trunk, release/*", true));
    expect(await rule(["trunk", "release/*"], "release/2")).toEqual(some("trunk, release/*", true));
    expect(await rule(["release/**"], "release/2/3")).toEqual(some("release/**", true));
    expect(await rule(["release/*"], "release/2/3")).toEqual(some("release/*", false));
    expect(await rule(["t.unk", "runk"])).toEqual(some("t.unk, runk", false));
    expect(await forge.branchRule("another", "trunk")).toEqual({ as: "unknown" });
  });

  it("asks once for the account of the token", async () => {
    const { standIn, forge } = await start();
    let asked = 0;
    standIn.trouble = ({ url }) => {
      if (/\/user\b/.test(url)) asked += 1;
      return false;
    };
    const first = await forge.account();
    expect([first?.login, await forge.account(), asked]).toEqual([BOT.login, first, 1]);
  });

  it("finds its comment on a later page", async () => {
    const { standIn, forge } = await start();
    for (let count = 0; count < 230; count += 1) standIn.comment(`comment ${count}`, OTHER);
    standIn.comment(`${MARKER}\nold`, BOT);
    for (let count = 0; count < 70; count += 1) standIn.comment(`comment ${count}`, OTHER);
    expect(await upsert(forge, 41, note("new"))).toBe("edited");
  });

  it("keeps the oldest of two comments that two jobs wrote at the same time", async () => {
    const { standIn, forge } = await start();
    const isWrite = (method: string, url: string) => method === "POST" && /notes|comments/.test(url);
    standIn.trouble = ({ method, url }) => {
      // The other job's comment arrives just before this one's.
      if (isWrite(method, url)) standIn.comment(`${MARKER}\nof the other job`, BOT);
      return false;
    };
    expect(await upsert(forge, 41, note("mine"))).toBe("edited");
    expect(standIn.comments.map(({ body }) => body)).toEqual([`${MARKER}\nmine`]);
  });

  it("writes one comment where the token cannot tell whose it is", async () => {
    const { standIn, forge } = await start([{ ...BOT, knowsItself: false }, OTHER]);
    expect(await upsert(forge, 41, note("one"))).toBe("created");
    expect(await upsert(forge, 41, note("two"))).toBe("edited");
    expect(standIn.comments.map(({ body }) => body)).toEqual([`${MARKER}\ntwo`]);
  });

  it("looks for a comment whose reply was lost, and writes no second one", async () => {
    const { standIn, forge } = await start();
    let isLost = false;
    standIn.trouble = ({ method, url, body }, response) => {
      if (isLost || method !== "POST" || !/notes|comments/.test(url)) return false;
      isLost = true;
      standIn.comment((JSON.parse(body) as { body: string }).body, BOT);
      response.socket?.destroy();
      return true;
    };
    expect(await upsert(forge, 41, note("one"))).toBe("created");
    expect(standIn.comments).toHaveLength(1);
  });

  it("takes no comment of another account for its own, where the reply was lost", async () => {
    const { standIn, forge } = await start();
    const early = standIn.comment(`${MARKER}\nforged early`, OTHER);
    standIn.trouble = ({ method, url }, response) => {
      if (method !== "POST" || !/notes|comments/.test(url)) return false;
      standIn.comment(`${MARKER}\nforged now`, OTHER);
      response.socket?.destroy();
      return true;
    };
    await expect(upsert(forge, 41, note("one"))).rejects.toThrow();
    expect(standIn.comments).toHaveLength(2);
    expect(early.body).toBe(`${MARKER}\nforged early`);
  });

  it("has its own text in the comment that another job wrote, where the reply was lost", async () => {
    const { standIn, forge } = await start();
    standIn.trouble = ({ method, url }, response) => {
      if (method !== "POST" || !/notes|comments/.test(url)) return false;
      standIn.comment(`${MARKER}\nof the other job`, BOT);
      response.socket?.destroy();
      return true;
    };
    expect(await upsert(forge, 41, note("mine"))).toBe("edited");
    expect(standIn.comments.map(({ body }) => body)).toEqual([`${MARKER}\nmine`]);
  });

  it("sends a status, and reads statuses with their authors, the newest first", async () => {
    const { standIn, forge } = await start();
    standIn.status(HEAD, "remit/plan p@t", "sha256:old", OTHER);
    for (let count = 0; count < 120; count += 1) standIn.status(HEAD, `job ${count}`, "", OTHER);
    const url = "https://forge.example/runs/7";
    await forge.setStatus(HEAD, {
      context: "remit/plan p@t",
      state: "failure",
      description: "sha256:new",
      url,
    });
    const found = (await forge.statuses(HEAD)).filter(({ context }) => context === "remit/plan p@t");
    expect(
      found.map(({ description, isSuccess, author }) => [description, isSuccess, author?.login]),
    ).toEqual([
      ["sha256:new", false, BOT.login],
      ["sha256:old", true, OTHER.login],
    ]);
  });

  it("finds the open pull request of a branch, and the merged one of a commit", async () => {
    const { standIn, forge } = await start();
    const merge = "c3".repeat(20);
    const merged = { ...PULL, number: 42, state: "merged", mergeCommit: merge, merged: [merge] } as const;
    const gone = { ...PULL, number: 43, head: { ...PULL.head, repository: null } } as const;
    standIn.pulls.push(merged, gone);
    const open = await forge.openFrom({ commit: HEAD, branch: "topic", repository: REPOSITORY });
    expect(open[0]).toMatchObject({ number: 41, isOpen: true, isFromFork: false, mergeCommit: null });
    expect(await forge.mergedWith(merge)).toMatchObject([{ number: 42, mergeCommit: merge, isOpen: false }]);
    expect(await forge.mergedWith("e5".repeat(20))).toEqual([]);
    expect(await forge.pullRequest(43)).toMatchObject({ isFromFork: true, head: { repository: null } });
  });

  it("waits where the forge asks for time, and says what a refusal says", async () => {
    const { standIn, forge } = await start();
    let refusals = 0;
    standIn.trouble = ({ method }, response) => {
      if (method !== "GET" || refusals === 2) return false;
      refusals += 1;
      const reset = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000" };
      const limits = name === "github" ? ([403, reset] as const) : ([429, { "retry-after": "1" }] as const);
      json(response, limits[0], { message: "slow down" }, limits[1]);
      return true;
    };
    expect(await forge.pullRequest(41)).toMatchObject({ number: 41 });
    await expect(forge.pullRequest(99)).rejects.toThrow("answered 404: Not Found");
  });

  it("sends its token nowhere else: a redirect is an error", async () => {
    const { standIn, forge } = await start();
    const elsewhere = await startStandIn(name);
    standIn.trouble = (_, response) => {
      response.writeHead(301, { location: `${elsewhere.url}/user` }).end();
      return true;
    };
    await expect(forge.pullRequest(41)).rejects.toThrow("redirects are not followed");
    expect(elsewhere.seen).toEqual([]);
  });
});
