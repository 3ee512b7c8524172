import { expect, it } from "vitest";
import { columns } from "../../../src/cli/print/columns.js";

const ROWS = [
  [
    "server",
    "https://larkspur.conductor.one",
    "the variable REMIT_SERVER, which comes before the project's file",
  ],
  ["state", "none", "default"],
];

it("a table wraps its last column in words at a terminal, and nothing in a pipe", () => {
  expect(columns(ROWS, 80).trimEnd().split("\n")).toEqual([
    "server  https://larkspur.conductor.one  the variable REMIT_SERVER, which comes",
    "                                        before the project's file",
    "state   none                            default",
  ]);
  expect(columns(ROWS).trimEnd().split("\n")).toHaveLength(2);
});

it("a word that has no room in the last column stands whole below its line", () => {
  expect(columns([["credentials", "(secret)".padEnd(23), "CONDUCTORONE_ACCESS_TOKEN"]], 60)).toBe(
    `credentials  (secret)\n${" ".repeat(35)}CONDUCTORONE_ACCESS_TOKEN\n`,
  );
});
