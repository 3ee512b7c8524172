import { gunzipSync, gzipSync } from "node:zlib";

/** A saved plan as a page contains it: gzip in base64. */
export function packPlan(text: string): string {
  return gzipSync(text, { level: 9 }).toString("base64");
}

const PACKED = /<script type=application\/gzip id="remit-plan">([A-Za-z0-9+/=]*)<\/script>\s*<script>/;
/** So many bytes a plan may have: a page from outside may contain few bytes that become very many. */
const MOST = 512 * 1024 * 1024;

/**
 * The saved plan inside a page that `--report html=FILE` wrote; null for any other text, and for a page whose plan is
 * damaged or too large. What the page shows is not read: only the plan, which has its seal.
 */
export function unpackPlan(page: string): string | null {
  if (!/^<!doctype html>/i.test(page)) return null;
  const [, packed] = PACKED.exec(page) ?? [];
  if (packed === undefined) return null;
  try {
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST }).toString("utf8");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return null;
  }
}
