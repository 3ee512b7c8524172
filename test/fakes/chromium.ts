import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PROGRAM = "/usr/bin/chromium";

/** Why this machine has no browser; null where it has one. In a pipeline a missing browser is a failure. */
export function missingChromium(): string | null {
  if (existsSync(PROGRAM) || process.env.CI !== undefined) return null;
  return "skipped: install Debian's package chromium";
}

/** Starts a browser that asks no server for anything. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
