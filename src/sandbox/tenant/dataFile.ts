import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isObject, type Json } from "../../model/json.js";
import { BadFile } from "./document.js";
import { LIST_NAMES, NAMES, type Tenant } from "./tenant.js";

/** A file that a tenant lives in, from one run to the next. */
interface DataFile {
  /** The file's content; undefined without a file. */
  readonly tenant: Tenant | undefined;
  /** Says that the tenant is no longer what the file holds; it will be written soon. */
  changed(): void;
  /** Resolves once the file holds what the tenant is; throws a `BadFile` where it could not be written. */
  flush(): Promise<void>;
}

/** The version of the form of the file. */
const FORMAT = 1;

/** Writing may take one part in so many of the time. */
const SHARE = 10;

const ANEW = "Move it away to begin with a new tenant.";

const SHORTEST_WAIT = 20;

/**
 * Opens a file, which the first write creates with its folders. Each write asks for the text then; a write that failed
 * is reported, and the next one tries again. Throws a `BadFile`.
 */
export async function openDataFile(
  path: string,
  tenantOf: () => Tenant,
  report: (error: unknown) => void,
): Promise<DataFile> {
  // A limit on the size of files is to fail the write, and not to end the program.
  if (process.listenerCount("SIGXFSZ") === 0) process.on("SIGXFSZ", () => undefined);
  await sweepDrafts(path);
  let stamp = await stampOf(path);
  const tenant = await readTenant(path);
  let dirty = false;
  let failing = false;
  let wait = SHORTEST_WAIT;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .catch(() => undefined)
      .then(async () => {
        if (!dirty) return;
        const found = await stampOf(path);
        if (found !== undefined && found !== stamp)
          bad(
            path,
            "was written by another sandbox since this one read it, and keeps nothing more of this one",
            "Give each sandbox a file of its own.",
          );
        dirty = false;
        const started = performance.now();
        try {
          await put(path, `${JSON.stringify({ format: FORMAT, tenant: tenantOf() })}\n`);
        } catch (error) {
          dirty = true;
          throw error;
        }
        stamp = await stampOf(path);
        failing = false;
        wait = Math.max(SHORTEST_WAIT, SHARE * (performance.now() - started));
      });
    return writing;
  }

  /** Tells of the first failure of a row: every write that comes after would say the same. */
  function fail(error: unknown): void {
    if (!failing) report(error);
    failing = true;
  }

  return {
    tenant,
    changed() {
      dirty = true;
      timer ??= setTimeout(() => write().catch(fail), wait);
    },
    flush: write,
  };
}

async function put(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text);
  } catch (error) {
    bad(path, `cannot be written: ${(error as Error).message}`, "Make room for it, or name another file.");
  }
}

/** What distinguishes one write of a file from every other; undefined without a file. */
async function stampOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.ino} ${found.mtimeNs} ${found.size}`;
}

async function readTenant(path: string): Promise<Tenant | undefined> {
  const source = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    return bad(path, `cannot be read: ${error.message}`, "Look at its permissions, or name another file.");
  });
  if (source === undefined) return undefined;
  const held = parse(path, source);
  if (!isObject(held) || !("format" in held || "tenant" in held))
    return damaged(path, "it is not a sandbox's data");
  const { format, tenant } = held;
  if (typeof format === "number" && format > FORMAT)
    return bad(
      path,
      `has format ${format}, and this version reads ${FORMAT}`,
      "Use the version that wrote it.",
    );
  const missing = isObject(tenant) ? MEMBERS.find((name) => tenant[name] === undefined) : "tenant";
  if (format !== FORMAT || missing !== undefined)
    return bad(
      path,
      `has a format that was never released: ${format === FORMAT ? `its \`${missing}\` is missing` : "it names no format"}`,
      ANEW,
    );
  if (!isTenant(tenant)) return damaged(path, "a part of the tenant is not what it should be");
  return tenant;
}

function parse(path: string, source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch (error) {
    return damaged(path, (error as Error).message);
  }
}

function damaged(path: string, why: string): never {
  return bad(path, `is damaged: ${why}`, ANEW);
}

function bad(path: string, what: string, hint: string): never {
  throw new BadFile([{ code: "sandbox/bad-file", severity: "error", message: `${path} ${what}`, hint }]);
}

const MEMBERS = ["id", "c1AppId", "open", ...LIST_NAMES];

function isTenant(value: unknown): value is Tenant {
  return (
    isObject(value) &&
    typeof value.id === "string" &&
    typeof value.c1AppId === "string" &&
    typeof value.open === "boolean" &&
    Object.entries(NAMES).every(([name, fields]) => {
      const rows = value[name];
      return (
        Array.isArray(rows) && rows.every((row) => fields.every((field) => typeof row?.[field] === "string"))
      );
    })
  );
}

/**
 * Puts a text in a file's place, whole or not at all. write-file-atomic is not used: it takes a write that the
 * full disk cut short for a whole one.
 */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}${DRAFT}`;
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const DRAFT = ".draft";

/** Removes what processes left beside a file that ended in the middle of writing it. */
async function sweepDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && isLeft(name));
  await Promise.all(left.map((name) => rm(join(dirname(path), name), { force: true })));
}

function isLeft(name: string): boolean {
  const writer = /\.(\d+)\.draft$/.exec(name)?.[1];
  return writer !== undefined && !isRunning(Number(writer));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, and runs all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
