import { describe, expect, it } from "vitest";
import { defaultName, gitAddress, refOf, remoteUrl } from "../../../src/state/git/address.js";

describe("the address of a state in a repository", () => {
  it.each([
    ["git:", { remote: null, name: null }],
    ["git:#prod", { remote: null, name: "prod" }],
    ["git:upstream", { remote: { as: "name", name: "upstream" }, name: null }],
    ["git:origin#refs/heads/state", { remote: { as: "name", name: "origin" }, name: "refs/heads/state" }],
    ["git:https://h/a.git#x", { remote: { as: "url", url: "https://h/a.git" }, name: "x" }],
    ["git:git@h:a/b.git", { remote: { as: "url", url: "git@h:a/b.git" }, name: null }],
    ["git:/srv/a.git#x", { remote: { as: "url", url: "/srv/a.git" }, name: "x" }],
  ])("%s", (text, address) => {
    expect(gitAddress(text)).toEqual(address);
  });

  it.each([
    "",
    "a..b",
    ".x",
    "a/.b",
    "a//b",
    "x.lock",
    "x-lock",
    "refs/heads/main-lock",
    "a b",
    "a:b",
    "x^",
    "x@{1}",
    "@",
    "refs/tags/x",
    "refs/heads/",
    "x.",
    "x/",
    "a\nb",
  ])("is refused with the name %j", (name) => {
    expect(() => gitAddress(`git:#${name}`)).toThrow("the address of the state cannot be used");
  });

  it.each([
    ["", "acme.example", "acme.example"],
    ["teams/iam", "acme.example", "teams/iam/acme.example"],
    ["a b/.c", "localhost:8080", "a%20b/%2Ec/localhost%3A8080"],
    ["x.lock", "h", "x%2Elock/h"],
    ["x", "h-lock", "x/h%2Dlock"],
    ["a..b/c.", "h", "a%2E.b/c%2E/h"],
    ["é~(1)", "h", "%C3%A9%7E%281%29/h"],
  ])("names the state of project %j and host %s", (project, host, name) => {
    expect(defaultName(project, host)).toBe(name);
    expect(refOf(name)).toBe(`refs/remit/${name}`);
  });
});

describe("the address of a remote", () => {
  it.each([
    ["https://github.com/a/b.git", { protocol: "https", host: "github.com", user: null }],
    ["https://me:hidden@github.com/a/b.git", { url: "https://github.com/a/b.git", user: "me" }],
    ["ssh://git@h:22/a", { protocol: "ssh", host: "h:22", user: "git" }],
    ["git@github.com:a/b.git", { protocol: "ssh", host: "github.com", user: "git" }],
    ["/srv/a.git", { protocol: "file", host: null }],
    ["../a.git", { protocol: "file", url: "../a.git" }],
    ["file:///srv/a%20b.git", { protocol: "file", url: "/srv/a b.git" }],
    ["http://127.0.0.1:80/a", { protocol: "http", host: "127.0.0.1" }],
    ["http://127.0.0.2/a", { protocol: "http", host: "127.0.0.2" }],
  ])("%s", (text, expected) => {
    expect(remoteUrl(text)).toMatchObject(expected);
    expect(JSON.stringify(remoteUrl(text))).not.toContain("hidden");
  });

  it.each([
    "ext::sh -c id",
    "fd::7",
    "http://github.com/a",
    "git://github.com/a",
    "ftp://h/a",
    "-oProxyCommand=id",
    "-x@h:a",
    "me:hidden@h:a/b.git",
    "javascript:alert(1)//::",
    "a\nb:c",
    "file:///srv/%zz.git",
    "https://%zz@h/a.git",
    "",
  ])("is refused as %j", (text) => {
    expect(remoteUrl(text)).toBeNull();
  });
});
