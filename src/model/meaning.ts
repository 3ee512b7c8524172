/**
 * What the references of a manifest meant: the id of each, by its spelling, such as `app:/name=GitHub` or
 * `entitlement:APP/alias=github-admin`.
 */
export type Meanings = Readonly<Record<string, string>>;

/** A name in place of an id: what sort of object is looked for, in which app, and by which of its names. */
interface NameReference {
  readonly of: string;
  /** Empty where objects of that sort belong to no app. */
  readonly app: string;
  readonly by: string;
  readonly text: string;
}

/** The one spelling of a reference; ids contain neither `/` nor `=`. */
export function spellReference({ of, app, by, text }: NameReference): string {
  return `${of}:${app}/${by}=${text}`;
}

/** The spelling of a reference to the object of a manifest of a kind. */
export function spellManifest(kind: string, name: string): string {
  return spellReference({ of: "manifest", app: "", by: kind, text: name });
}

/** Reads a spelling back; undefined for any other text. */
export function parseReference(spelling: string): NameReference | undefined {
  const [, of, app, by, text] = /^([^:]+):([^/]*)\/([^=]+)=(.*)$/s.exec(spelling) ?? [];
  if (of === undefined || app === undefined || by === undefined || text === undefined) return undefined;
  return { of, app, by, text };
}
