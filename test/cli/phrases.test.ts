import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.js";
import { phrasesFor } from "../../src/cli/phrases.js";
import { processWorld } from "../../src/cli/process.js";

describe("a mistake of ours", () => {
  it("is told once, as ours, without the secrets of the environment", () => {
    const phrases = phrasesFor({ REMIT_TOKEN: "nobody-may-see", HOME: "/home/ours" });
    const error = new Error("it broke on nobody-may-see");
    const told = phrases.exceptionWhileRunningCommand(error, false);
    expect(told).toContain("error[internal]: remit made a mistake: Error: it broke on (secret)");
    expect(told).not.toContain("nobody-may-see");
    expect(told.split("it broke on").length).toBe(2);
  });

  it("ends with 1", async () => {
    const written: string[] = [];
    const stderr = { isTerminal: false, columns: 80, rows: 24, write: (text: string) => written.push(text) };
    const broken = {
      ...processWorld(),
      stderr,
      stdout: {
        ...stderr,
        write: () => {
          throw new Error("no");
        },
      },
    };
    expect(await main(["version"], broken)).toBe(1);
    expect(written.join("")).toContain("remit made a mistake");
  });
});
