import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { openDataFile } from "../../../src/sandbox/tenant/dataFile.js";
import { BadFile } from "../../../src/sandbox/tenant/document.js";
import { EMPTY_TENANT, type Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { fakeClock } from "../../fakes/clock.js";
import { otherProcess } from "../../state/otherProcess.js";

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

  it("of two sandboxes is written by the first alone, and the other says so once", async () => {
    const told: string[] = [];
    const report = (error: unknown) => told.push(String(error));
    const [first, second] = [
      await startSandbox({ dataFile: file, report }),
      await startSandbox({ dataFile: file, report }),
    ];
    const write = async ({ url, token }: Sandbox) => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${url}${SETUP}`, { method: "POST", headers, body: "{}" })).status).toBe(200);
    };
    await write(first);
    await write(first);
    await first.close();
    const kept = readFileSync(file, "utf8");
    await write(second);
    await expect(second.close()).rejects.toThrow("was written by another sandbox");
    expect(readFileSync(file, "utf8")).toBe(kept);
    expect(told).toEqual([]);
  });

  it("that stays unwritable is reported once, and again after it was writable", async () => {
    const told: string[] = [];
    let next: (() => void) | undefined;
    const data = await openDataFile(
      file,
      () => EMPTY_TENANT,
      (error) => {
        told.push(String(error));
        next?.();
      },
    );
    const failed = () =>
      new Promise<void>((done) => {
        next = done;
      });
    writeFileSync(join(folder, "inner"), "a file where a folder is to be");
    const once = failed();
    data.changed();
    await once;
    data.changed();
    await expect(data.flush()).rejects.toThrow("cannot be written");
    expect(told).toHaveLength(1);
    rmSync(join(folder, "inner"));
    await data.flush();
    writeFileSync(file, "{}");
    const again = failed();
    data.changed();
    await again;
    expect(told).toEqual([expect.stringContaining("cannot be written"), expect.stringContaining("another")]);
  });

  it("is rid of what a killed sandbox left beside it, and of nothing else", async () => {
    const draftOf = (pid: number) => join(folder, `data.json.${pid}.draft`);
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    for (const path of [draftOf(dead), draftOf(process.pid), join(folder, "other.json.1.draft")])
      writeFileSync(path, "half");
    await (await startSandbox({ dataFile: join(folder, "data.json") })).close();
    expect(readdirSync(folder).sort()).toEqual([`data.json.${process.pid}.draft`, "other.json.1.draft"]);
  });

  it("that may not grow fails the write, and ends nothing", async () => {
    const other = await otherProcess();
    const said = await other.run(
      `
      import { openDataFile } from "src/sandbox/tenant/dataFile.js";
      import { generateTenant } from "src/sandbox/tenant/generate.js";
      const data = await openDataFile(${JSON.stringify(file)}, () => generateTenant(2000), () => undefined);
      data.changed();
      console.log(JSON.stringify({ said: await data.flush().catch((error) => error.message) }));
      `,
      { fileBlocks: 64 },
    );
    await other.close();
    expect(said).toMatchObject({ said: expect.stringContaining("sandbox.json cannot be written: EFBIG") });
    expect(readdirSync(join(folder, "inner"))).toEqual([]);
  });

  const UNRELEASED = "has a format that was never released: ";
  it.each([
    ["cut short", '{"format": 1, "tenant": {"id"', "is damaged"],
    ["something else", "[]", "is damaged: it is not a sandbox's data"],
    ["without parts", '{"format": 1, "tenant": {"id": "x"}}', `${UNRELEASED}its \`c1AppId\` is missing`],
    ["without a tenant", '{"format": 1}', `${UNRELEASED}its \`tenant\` is missing`],
    ["without a format", JSON.stringify({ tenant: EMPTY_TENANT }), `${UNRELEASED}it names no format`],
    ["of format 0", JSON.stringify({ format: 0, tenant: EMPTY_TENANT }), UNRELEASED],
    ["with a text as its format", JSON.stringify({ format: "1", tenant: EMPTY_TENANT }), UNRELEASED],
    [
      "with a row without a name",
      JSON.stringify({ format: 1, tenant: { ...EMPTY_TENANT, apps: [null] } }),
      "is damaged: a part of the tenant is not what it should be",
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
