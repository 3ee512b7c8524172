/** What a code means whatever the manifest, for readers of a list of rules. */
export interface Rule {
  readonly title: string;
  readonly help: string;
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    "file/missing": rule("A path leads nowhere", "Paths count from the working directory."),
    "file/not-a-file": rule(
      "A path is neither a file nor a folder",
      "Devices and pipes are not read; use - for standard input.",
    ),
    "file/not-utf8": rule("A file is not valid UTF-8", "Manifests are UTF-8 text."),
    "file/too-large": rule("A file is too large", "Split it into several files."),
    "file/unreadable": rule("A file cannot be read", "Its permissions or its links are in the way."),
    "yaml/syntax": rule(
      "The text is not YAML",
      "What follows the fault cannot be made out, so it is mended first.",
    ),
    "yaml/merge-conflict": rule(
      "A merge conflict is not resolved",
      "git left both versions in the file. Keep one of them and remove the marks.",
    ),
    "yaml/tab": rule("A tab indents a line", "YAML is indented with spaces."),
    "yaml/indentation": rule(
      "A line stands in the wrong column",
      "What belongs together starts in the same column.",
    ),
    "yaml/duplicate-name": rule(
      "A field is written twice",
      "Of two fields of one name, one would silently be lost.",
    ),
    "yaml/name": rule("A field has no plain name", "Names of fields are plain texts."),
    "yaml/tag": rule(
      "A tag is not known",
      "Manifests hold texts, lists and maps; other types are not made from them.",
    ),
    "yaml/directive": rule("A directive is not known", "Manifests are YAML 1.2."),
    "yaml/alias": rule(
      "An alias leads nowhere",
      "An alias repeats a value with an anchor earlier in the same document.",
    ),
    "yaml/alias-bomb": rule("Aliases unfold to too much", "Aliases of aliases multiply what they repeat."),
    "yaml/merge": rule(
      "A merge key adds no fields",
      "`<<` adds the fields of a map, or of each map of a list.",
    ),
    "yaml/control-character": rule(
      "A control character is in the text",
      "YAML allows none but tab and line breaks.",
    ),
    "yaml/too-deep": rule("Lists and maps stand too deep in each other", "No manifest needs that depth."),
    "yaml/too-large": rule("A document is too large", "Split it into several manifests."),
    "manifest/none": rule("No manifest was found", "Files that end in .yaml, .yml or .json are read."),
    "manifest/empty": rule("A file holds no manifest", "It is empty, or holds comments alone."),
    "manifest/foreign": rule(
      "A document is no manifest",
      "Manifests begin with apiVersion: remit/v1; other files can be left out in .remitignore.",
    ),
    "manifest/version": rule("A manifest is of an unknown version", "This remit reads remit/v1."),
    "manifest/kind": rule("A manifest is of an unknown kind", "`remit schema` lists the kinds."),
    "manifest/duplicate-name": rule("Two manifests have one name", "A name is unique within its kind."),
    "manifest/duplicate-key": rule(
      "Two manifests are for one object",
      "They would overwrite each other at every apply.",
    ),
    "schema/unknown-field": rule("A field is not known", "`remit schema KIND` says which fields there are."),
    "schema/required": rule("A field is missing", "Without it the object cannot be told from others."),
    "schema/type": rule(
      "A value is of the wrong type",
      "What looks like a number, a truth value or nothing is a text only in quotes.",
    ),
    "schema/value": rule(
      "A value is not of the form it must have",
      "`remit schema KIND` says what it may be.",
    ),
    "schema/format": rule(
      "A duration or time is not of its form",
      "Durations are written 90d or 12h30m, times 2026-01-31T00:00:00Z.",
    ),
    "schema/enum": rule(
      "A value is not among the known ones",
      "The service may know it; a slip of the pen is likelier.",
    ),
    "schema/one-of": rule("Two fields exclude each other", "The service takes at most one of the group."),
    "schema/too-many": rule("A list is too long", "The service refuses longer ones."),
    "rule/dates-reversed": rule("A period ends before it begins", "Nothing would be found in it."),
    "rule/empty-id": rule("An id is empty", "Remove the field where nothing is meant."),
    "rule/unfit-id": rule(
      "An id would change an address",
      "Ids stand in the addresses of requests, where / ? # % lead elsewhere.",
    ),
    "rule/repeated-item": rule(
      "A list holds something twice",
      "The list is compared without regard to order or repetition.",
    ),
    "rule/unused-ids": rule("A list of ids is not read", "The filter beside it does not use the list."),
    "reference/ambiguous": rule(
      "A name is that of several objects",
      "None is chosen by itself; write the id of the right one.",
    ),
    "reference/look-alike": rule("A name is almost that of an app", "Names are compared exactly."),
    "config/variable": rule(
      "A variable is not of its form",
      "`remit config` says what each setting is and where it is from.",
    ),
    "expression/syntax": rule(
      "An expression is not CEL",
      "The service decides what an expression means; that it can be read is checked here.",
    ),
    "expression/too-large": rule(
      "An expression is too long to be checked",
      "The service checks it when it is applied.",
    ),
  }),
);

/** The rule of a code; an unlisted one is told by its own words. */
export function ruleOf(code: string): Rule {
  const title = code.replace("/", ": ").replaceAll("-", " ");
  return RULES.get(code) ?? { title, help: `A finding of remit: ${title}.` };
}

function rule(title: string, help: string): Rule {
  return { title, help };
}
