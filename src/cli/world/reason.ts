/** What the error codes of a file system mean. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the file does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left",
  EDQUOT: "no space is left",
  EFBIG: "no space is left",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EPIPE: "its reader closed it",
};

/** Why a file cannot be read or written, in a clause. */
export function reasonOf(code: string): string {
  return REASONS[code] ?? code;
}
