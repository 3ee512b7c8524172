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

it("columns that have no room stand below their line, in each row", () => {
  const id = "0b1c8165-93ab-4e12-82a3-1e9867f7dc51";
  const head = ["WHEN", "RUN", "WHAT", "WHO"];
  const row = ["2026-11-28 12:39 UTC", id, "10 created, 2 changed", "an unknown user on vm"];
  expect(columns([head, row], 80).trimEnd().split("\n")).toEqual([
    "WHEN                  RUN",
    "  WHAT                   WHO",
    `2026-11-28 12:39 UTC  ${id}`,
    "  10 created, 2 changed  an unknown user on vm",
  ]);
});
