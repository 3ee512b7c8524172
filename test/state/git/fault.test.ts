import { expect, test } from "vitest";
import { unreachable } from "../../../src/state/git/fault.js";

const ADVICE = "\n\nPlease make sure you have the correct access rights\nand the repository exists.\n";

test.each([
  ["Host key verification failed.", "Host key verification failed."],
  [
    "git@forge.example: Permission denied (publickey).\r",
    "git@forge.example: Permission denied (publickey).",
  ],
  [
    "ssh: connect to host forge.example port 22: Connection refused\r",
    "ssh: connect to host forge.example port 22: Connection refused",
  ],
])("a remote over ssh is quoted with its reason: %j", (line, quoted) => {
  const words = `Warning: one\n${line}\nfatal: Could not read from remote repository.${ADVICE}`;
  expect(unreachable("git:here", words).message).toBe(`git:here did not answer (git: ${quoted})`);
});

test("a remote without a reason is quoted with what git says", () => {
  const words = `fatal: Could not read from remote repository.${ADVICE}`;
  expect(unreachable("git:here", words).message).toContain("Could not read from remote repository.");
});

test("an address in a quotation is left out, and nothing else", () => {
  const words =
    "fatal: unable to access 'https://ann:secret@forge.example/state.git/': server certificate verification failed.\n";
  const { message } = unreachable("git:here", words);
  expect(message).toContain("unable to access '(address)': server certificate verification failed.");
  expect(message).not.toContain("secret");
});
