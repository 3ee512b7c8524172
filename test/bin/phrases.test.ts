import { describe, expect, it } from "vitest";
import { main } from "../../src/bin/main.js";
import { phrasesFor } from "../../src/bin/phrases.js";
import { MistakeWithRescue } from "../../src/cli/run/mistake.js";
import { processWorld } from "../../src/cli/world/process.js";

describe("a mistake of remit", () => {
  it("is reported once, as remit's own, without the secrets of the environment", () => {
    const phrases = phrasesFor({ REMIT_TOKEN: "nobody-may-see", HOME: "/home/ours" });
    const error = new Error("it broke on nobody-may-see");
    const told = phrases.exceptionWhileRunningCommand(error, false);
    expect(told).toContain("error[internal]: remit made a mistake: Error: it broke on (secret)");
    expect(told).not.toContain("nobody-may-see");
    expect(told.split("it broke on").length).toBe(2);
  });

  it("names the file with the answers of the run on the last line", () => {
    const error = new MistakeWithRescue(new Error("it broke"), "/home/rescue-1.json");
    const told = phrasesFor({}).exceptionWhileRunningCommand(error, false).split("\n");
    expect(told[0]).toContain("remit made a mistake: Error: it broke");
    expect(told.at(-1)).toBe("/home/rescue-1.json");
  });

  it.each([
    ["with a line break behind it", { REMIT_TOKEN: "nobody-may-see\n" }, "on nobody-may-see"],
    ["percent-encoded", { REMIT_CLIENT_SECRET: "nobody may see" }, "on nobody%20may%20see"],
    ["in base64", { https_proxy: "http://fox:nobody-may-see@proxy:1" }, `on ${btoa("fox:nobody-may-see")}`],
    ["of a proxy alone", { HTTP_PROXY: "fox:nobody-may-see@proxy:1" }, "on nobody-may-see"],
    ["in a second line", { REMIT_OIDC_TOKEN: "nobody-may-see" }, "on\nnobody-may-see"],
  ])("is reported without a secret %s", (_, env, words) => {
    const told = phrasesFor(env).exceptionWhileRunningCommand(new Error(words), false);
    expect(told).toContain("(secret)");
    expect(told).not.toMatch(/nobody|bm9ib2R5/);
  });

  it("has no command for a terminal or the log of a pipeline in any line", () => {
    const error = new Error("it broke\n::error::on\n  ##vso[task.x]\u001b[2J");
    const told = phrasesFor({}).exceptionWhileRunningCommand(error, false);
    expect(told).not.toMatch(/\p{Cc}(?<!\n)|^\s*::|##vso\[/mu);
  });

  it("names a proxy's host, which is not a known secret", () => {
    const phrases = phrasesFor({ HTTPS_PROXY: "http://fox:nobody-may-see@proxy.example:3128" });
    expect(phrases.exceptionWhileRunningCommand(new Error("on proxy.example:3128"), false)).toContain(
      "on proxy.example:3128",
    );
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
