/** What the files of a kind are called, its schema and its page: `template-scope` for `TemplateScope`. */
export function fileNameOf(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
