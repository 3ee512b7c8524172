import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataFile } from "../../src/sandbox/dataFile.js";
import { BadFile } from "../../src/sandbox/document.js";
import { startSandbox } from "../../src/sandbox/server.js";
import { EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant.js";
import { fakeClock } from "../fakes/clock.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-data-"));
  file = join(folder, "inner", "sandbox.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const SETUP = "/api/v1/access_review_template/2fsgTvxP0DVTsNXEUBI7hOe0l5B/scope_and_entitlements";

describe("a data file", () => {
  it("holds everything once the sandbox is closed, and is where the next begins", async () => {
    const first = await startSandbox({ dataFile: file });
    const headers = { authorization: `Bearer ${first.token}` };
    const body = JSON.stringify({ scope: { allUsers: {} }, entitlements: [] });
    await fetch(`${first.url}${SETUP}`, { method: "POST", headers, body });
    await first.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = await startSandbox({ dataFile: file });
    const reply = await fetch(`${second.url}${SETUP}`, { headers });
    expect(await reply.json()).toMatchObject({ scope: { allUsers: {} } });
    await second.close();
  });

  it("is written soon after a write, whole at every moment", async () => {
    const seen: string[] = [];
    let tenant: Tenant = EMPTY_TENANT;
    const data = await openDataFile(
      file,
      () => tenant,
      (error) => seen.push(String(error)),
    );
    expect(data.tenant).toBeUndefined();
    for (const id of ["a", "b", "c"]) {
      tenant = { ...tenant, templates: [...tenant.templates, { id }] };
      data.changed();
    }
    await data.flush();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ format: 1, tenant });
    expect(seen).toEqual([]);
  });

  it("never gives an id twice, though two runs take no time", async () => {
    const ids: string[] = [];
    for (const displayName of ["one", "two"]) {
      const sandbox = await startSandbox({ dataFile: file, clock: fakeClock() });
      const reply = await fetch(`${sandbox.url}/api/v1/access_review_template`, {
        method: "POST",
        headers: { authorization: `Bearer ${sandbox.token}` },
        body: JSON.stringify({ displayName, ownerIds: ["u"] }),
      });
      const { accessReviewTemplate } = (await reply.json()) as { accessReviewTemplate: { id: string } };
      ids.push(accessReviewTemplate.id);
      await sandbox.close();
    }
    expect(new Set(ids).size).toBe(2);
  });

  it("is not touched where nothing was written", async () => {
    const sandbox = await startSandbox({ dataFile: file });
    await fetch(`${sandbox.url}${SETUP}`, { headers: { authorization: `Bearer ${sandbox.token}` } });
    await sandbox.close();
    expect(() => statSync(file)).toThrow("ENOENT");
  });

  it("that cannot be written fails the close, and says why", async () => {
    const sandbox = await startSandbox({ dataFile: join(file, "x") });
    writeFileSync(join(folder, "inner"), "a file where a folder is to be");
    const headers = { authorization: `Bearer ${sandbox.token}` };
    await fetch(`${sandbox.url}${SETUP}`, { method: "POST", headers, body: "{}" });
    await expect(sandbox.close()).rejects.toThrow(/x cannot be written: (ENOTDIR|EEXIST)/);
  });

  it.each([
    ["cut short", '{"format": 1, "tenant": {"id"', "is damaged"],
    ["something else", "[]", "is damaged: it is no sandbox's data"],
    ["without parts", '{"format": 1, "tenant": {"id": "x"}}', "is damaged: parts of the tenant are missing"],
    [
      "with a row without a name",
      JSON.stringify({ format: 1, tenant: { ...EMPTY_TENANT, apps: [null] } }),
      "is damaged: parts of the tenant are missing",
    ],
    ["of a later version", '{"format": 2}', "has format 2, and this version reads 1"],
  ])("%s is refused, and left as it is", async (_, text, words) => {
    const damaged = join(folder, "damaged.json");
    writeFileSync(damaged, text);
    const start = startSandbox({ dataFile: damaged });
    await expect(start).rejects.toThrow(BadFile);
    await expect(start).rejects.toThrow(`${damaged} ${words}`);
    expect(readFileSync(damaged, "utf8")).toBe(text);
  });
});
