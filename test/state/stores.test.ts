import { describe, expect, it } from "vitest";
import { StateError } from "../../src/state/store.js";
import { readStateAddress, shownAddress } from "../../src/state/stores.js";

function fail(text: string): StateError {
  try {
    readStateAddress(text);
  } catch (error) {
    if (error instanceof StateError) return error;
  }
  throw new Error(`${text} was accepted`);
}

describe("the address of a state", () => {
  it.each([".remit/state.json", "/var/state.json", "C:\\state.json", "./a:b.json", "a/b:c.json"])(
    "is a path: %s",
    (path) => {
      expect(readStateAddress(path)).toEqual({ as: "file", path });
    },
  );

  it("is a database, with everything that the address says", () => {
    expect(readStateAddress("postgres://me:p%40ss@db.example.com:6432/remit?state=prod")).toEqual({
      as: "postgres",
      shown: "postgres://db.example.com:6432/remit?state=prod",
      host: "db.example.com",
      port: 6432,
      database: "remit",
      user: "me",
      password: "p@ss",
      state: "prod",
      isEncrypted: true,
    });
    expect(readStateAddress("postgresql://localhost/remit")).toMatchObject({
      shown: "postgres://localhost/remit",
      port: 5432,
      user: null,
      password: null,
      state: null,
      isEncrypted: false,
    });
  });

  it.each([
    ["postgres://db.example.com/remit?sslmode=disable", false],
    ["postgres://localhost/remit?sslmode=verify-full", true],
    ["postgres://[::1]/remit", false],
    ["postgres://127.0.0.2/remit", false],
    ["postgres://127.evil.test/remit", true],
  ])("says whether the connection is encrypted: %s", (address, isEncrypted) => {
    expect(readStateAddress(address)).toMatchObject({ isEncrypted });
  });

  it.each(["svn:", "mysql://host/db", "file:///state.json"])(
    "names the kinds of address there are for another: %s",
    (address) => {
      const { code, message, hint } = fail(address).diagnostic;
      expect(code).toBe("state/address");
      expect(message).toContain(`${address.split(":")[0]}:`);
      expect(hint).toContain("postgres://HOST/DATABASE");
    },
  );

  it("is a server of Terraform states", () => {
    const shown = "https://gitlab.example.com/api/v4/projects/1/terraform/state/remit";
    expect(readStateAddress(shown)).toEqual({ as: "http", shown });
    expect(readStateAddress("http://127.0.0.1:8080/state")).toMatchObject({ as: "http" });
  });

  it.each([
    "https://me:hidden@gitlab.example.com/state",
    "https://gitlab.example.com/state?token=hidden",
    "https://gitlab.example.com/state#hidden",
    "https://gitlab.example.com",
    "http://gitlab.example.com/hidden",
    "postgres://me:hidden@/remit",
    "postgres://me:hidden@db.example.com",
    "postgres://me:hidden@db.example.com/a/b",
    "postgres://me:hidden@db.example.com/a?sslmode=require",
    "postgres://me:hidden@db.example.com/a?user=x",
    "postgres://me:hidden@db.example.com/a?state=",
    "postgres://me:hidden@db.example.com/%zz",
    "postgres://me:hidden@db.example.com:none/a",
    "postgres://me:hid#den@db.example.com/a",
    "postgres//me:hidden@db.example.com/a",
    "postgres:/me:hidden@db.example.com/a",
    "s3://b/k?endpoint=https://me:hidden@h",
  ])("is refused without repeating its password: %s", (address) => {
    const { diagnostic } = fail(address);
    expect(shownAddress(address)).not.toContain("hid");
    expect(diagnostic.code).toBe("state/address");
    expect(JSON.stringify(diagnostic)).not.toContain("hid");
  });

  it.each([
    ["postgres://me:hidden@db.example.com/a?state=b", "postgres://db.example.com/a?state=b"],
    ["git:https://me:hidden@h/a.git#x", "git:https://h/a.git#x"],
    ["git:git@h:a.git#x", "git:git@h:a.git#x"],
    ["git:me:hidden@h:a.git#x", "git:…"],
    ["s3://bucket/k?region=eu-west-1", "s3://bucket/k?region=eu-west-1"],
    ["mysql://me:hidden@h/a", "mysql:…"],
    ["//me:hidden@h/a", "…"],
    [".remit/state.json", ".remit/state.json"],
  ])("%s is shown as %s", (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });
});
