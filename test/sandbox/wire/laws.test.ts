import fc from "fast-check";
import { expect, test } from "vitest";
import { automation } from "../../../src/sandbox/messages/automation.js";
import { scope } from "../../../src/sandbox/messages/scope.js";
import { list, message, type Type } from "../../../src/sandbox/wire/descriptor.js";
import { emitter } from "../../../src/sandbox/wire/emit.js";
import { writeTimestamp } from "../../../src/sandbox/wire/moment.js";
import { parse } from "../../../src/sandbox/wire/parse.js";

/** Any JSON value that a field of the type may have, null among them. */
function anyValue(type: Type): fc.Arbitrary<unknown> {
  if (typeof type !== "string") {
    switch (type.kind) {
      case "message":
        return anyMessage(type);
      case "enum":
        return fc.constantFrom(...type.names, 0, 1);
      case "list":
        return fc.array(anyValue(type.of), { maxLength: 3 });
      case "map":
        return fc.dictionary(fc.string(), anyValue(type.of), { maxKeys: 3 });
    }
  }
  switch (type) {
    case "bool":
      return fc.boolean();
    case "int32":
      return fc.integer();
    case "timestamp":
      return fc.integer({ min: 0, max: 4_000_000_000_000 }).map(writeTimestamp);
    case "duration":
      return fc.integer({ min: -1e9, max: 1e9 }).map((seconds) => `${seconds}.500s`);
    default:
      return fc.string({ unit: "grapheme" });
  }
}

/** Any message of the type, with at most one member of each of its groups. */
function anyMessage(type: ReturnType<typeof message>): fc.Arbitrary<object> {
  const fields = [...type.fields].map(([name, field]) => [name, fc.option(anyValue(field))] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((value) => {
    const groups = new Set<string>();
    const entries = Object.entries(value).filter(([name, member]) => {
      const group = type.oneofs.get(name);
      if (group === undefined || member === null) return true;
      const first = !groups.has(group);
      groups.add(group);
      return first;
    });
    return Object.fromEntries(entries);
  });
}

test.each([
  ["scope", scope],
  ["automation", automation],
])("a %s that was read, shown and read again is the same, and shown the same", (_, type) => {
  fc.assert(
    fc.property(anyMessage(type), (body) => {
      const read = parse(JSON.stringify(body), type);
      const shown = emitter(type)(read);
      const again = parse(JSON.stringify(shown), type);
      expect(again).toEqual(read);
      expect(emitter(type)(again)).toEqual(shown);
    }),
  );
});

const anything = message("test.Anything", { open: "free", items: list("free") });

test("an undocumented field is read as JSON, with any spacing", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 1, "\t"), (value, space) => {
      fc.pre(value !== null && JSON.parse(JSON.stringify(value)) !== null);
      const read = parse(JSON.stringify({ open: value }, null, space), anything);
      expect(read).toEqual(JSON.parse(JSON.stringify({ open: value })));
    }),
  );
});

test("a text other than JSON is never read", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, place) => {
      const whole = JSON.stringify({ open: { a: [1, "b", true, null] } });
      const at = place % whole.length;
      const broken = whole.slice(0, at) + text + whole.slice(at + 1);
      const isJson = (() => {
        try {
          JSON.parse(broken);
          return true;
        } catch {
          return false;
        }
      })();
      fc.pre(!isJson);
      expect(() => parse(broken, anything)).toThrow("failed to unmarshal body");
    }),
  );
});
