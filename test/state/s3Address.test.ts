import { describe, expect, it } from "vitest";
import { StateError } from "../../src/state/store.js";
import { readStateAddress } from "../../src/state/stores.js";

describe("the address of a state in a bucket", () => {
  it("says everything that is needed to reach it", () => {
    expect(readStateAddress("s3://my-bucket/a/b%20c.json?region=eu-central-1")).toEqual({
      as: "s3",
      shown: "s3://my-bucket/a/b c.json",
      bucket: "my-bucket",
      key: "a/b c.json",
      region: "eu-central-1",
      endpoint: null,
    });
    expect(readStateAddress("s3://b1b/key?endpoint=https://s3.example.com/base/")).toMatchObject({
      region: null,
      endpoint: "https://s3.example.com/base",
    });
    expect(readStateAddress("s3://b1b/key?endpoint=http%3A%2F%2F127.0.0.1%3A9000")).toMatchObject({
      endpoint: "http://127.0.0.1:9000",
    });
  });

  it.each([
    "s3://bucket",
    "s3://bucket/",
    "s3://bucket/folder/",
    "s3:///key",
    "s3://me:hidden@bucket/key",
    "s3://bucket/key#part",
    "s3://bucket/%zz",
    "s3://bucket/key?acl=public",
    "s3://bucket/key?region=../x",
    "s3://bucket/key?endpoint=http://s3.example.com",
    "s3://bucket/key?endpoint=https://me:hidden@s3.example.com",
    "s3://bucket/key?endpoint=ftp://s3.example.com",
  ])("is refused: %s", (address) => {
    let found: unknown;
    try {
      readStateAddress(address);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(StateError);
    const { diagnostic } = found as StateError;
    expect(diagnostic.code).toBe("state/address");
    expect(JSON.stringify(diagnostic)).not.toContain("hidden");
  });
});
