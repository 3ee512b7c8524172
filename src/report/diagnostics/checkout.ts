/** Where the project is in a checkout, for paths relative to the checkout's root. */
export interface CheckoutOptions {
  /** The project's folder from the root of the checkout, with `/`; empty if they are the same. */
  readonly folder?: string;
}

/** A file's path from the root of the checkout. */
export function inCheckout(file: string, folder: string): string {
  const path: string[] = [];
  for (const part of `${folder}/${file}`.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && path.length > 0 && path.at(-1) !== "..") path.pop();
    else path.push(part);
  }
  return path.join("/");
}
