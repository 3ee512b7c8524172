import { describe, expect, it } from "vitest";
import { makeDirectory } from "../../src/current/directory.js";
import { offerOf } from "../../src/current/offer.js";
import { makeReader } from "../../src/current/remote.js";
import { answering, DOWN, type Fault, NO_ROUTE, NOT_FOUND, PAGE, REFUSED, type Says } from "./asked.js";

const LISTED: Says = { pages: [[]] };
const LOST: Fault = { status: null, progress: "no reply" };

async function standing(opening: Says, apps: Says, entitlements: Says) {
  const { remote, paths } = answering({ opening, apps, "apps/id/entitlements": entitlements });
  const reader = makeReader(remote, () => undefined);
  const first = await reader.one("Thing", { method: "GET", path: ["api", "v1", "opening"], effect: "read" });
  const found = await offerOf(
    first,
    makeDirectory({ reader, given: {}, on: "full", remembered: null }),
    "id",
  );
  return { as: found.as, asked: paths.slice(1) };
}

describe("what the first read of a kind tells of the others", () => {
  const both = ["apps", "apps/id/entitlements"];
  it.each<[string, Says, Says, Says, string, readonly string[]]>([
    ["an object", { body: {} }, NO_ROUTE, NO_ROUTE, "offered", []],
    ["no such path", NO_ROUTE, LISTED, LISTED, "not offered", []],
    ["nothing there, of a service that lists apps", NOT_FOUND, LISTED, LISTED, "offered", ["apps"]],
    ["nothing there, of one that may not list them", NOT_FOUND, REFUSED, LISTED, "offered", ["apps"]],
    [
      "nothing there, of one that finds no list either",
      NOT_FOUND,
      NOT_FOUND,
      LISTED,
      "not offered",
      ["apps"],
    ],
    ["nothing there, of one without such a path", NOT_FOUND, NO_ROUTE, LISTED, "not offered", ["apps"]],
    ["a refusal, of a service that lists apps", REFUSED, LISTED, LISTED, "offered", ["apps"]],
    ["a refusal, of one that refuses apps too", REFUSED, REFUSED, LISTED, "not offered", both],
    ["a refusal, of one that knows no such app", REFUSED, REFUSED, NOT_FOUND, "not offered", both],
    ["a refusal, of one that refuses all", REFUSED, REFUSED, REFUSED, "silent", both],
    ["a page, of a service that lists apps", PAGE, LISTED, LISTED, "not offered", ["apps"]],
    ["a page, of one with the documented list", PAGE, PAGE, LISTED, "not offered", both],
    ["a page, of one that sends nothing else", PAGE, PAGE, PAGE, "silent", both],
    ["a lost reply, of one that loses them all but one", LOST, LOST, LISTED, "not offered", both],
    ["no connection", DOWN, LISTED, LISTED, "silent", []],
  ])("%s", async (_, opening, apps, entitlements, as, asked) => {
    expect(await standing(opening, apps, entitlements)).toEqual({ as, asked });
  });
});
