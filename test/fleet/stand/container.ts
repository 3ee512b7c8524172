import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A container as a pod says it. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly Variable[];
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
  readonly securityContext?: Security;
}

/** A variable of a container. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

/** Whom a container runs as, and what it may write. */
export interface Security {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly fsGroup?: number;
  readonly readOnlyRootFilesystem?: boolean;
}

/** What a container is started with. */
export interface Started {
  readonly container: Container;
  /** Those of its pod, which its own go before. */
  readonly security: Security;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of its pod on this machine, with its volumes. */
  readonly folder: string;
  /** The folder of its image: a file system that stands at `/opt`, with `bin`. */
  readonly image: string;
}

/** How a container ended. */
export interface Ended {
  readonly exitCode: number;
  /** What it wrote to its termination log. */
  readonly message: string;
}

/**
 * Makes a root of its own: programs and libraries of this machine to be read, the image, a few devices, and the volumes.
 * Then gives up every right and runs the command.
 */
const SCRIPT = `set -e
root=$1 image=$2 message=$3 writable=$4 user=$5 group=$6 folder=$7 volumes=$8; shift 8
mount --make-rprivate /
mkdir -p "$root"
mount -t tmpfs -o mode=755 none "$root"
for name in bin lib lib64 sbin usr etc; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then mkdir "$root/$name"; mount --bind "/$name" "$root/$name"; mount -o remount,bind,ro "$root/$name"; fi
done
mkdir -p "$root/opt" "$root/proc" "$root/dev"
mount --bind "$image" "$root/opt"; mount -o remount,bind,ro "$root/opt"
mount -t proc none "$root/proc"
for name in null zero random urandom full; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
touch "$root/dev/termination-log"; mount --bind "$message" "$root/dev/termination-log"
while [ "$volumes" -gt 0 ]; do
  mkdir -p "$root$2"; mount --bind "$1" "$root$2"
  if [ "$3" = true ]; then mount -o remount,bind,ro "$root$2"; fi
  shift 3; volumes=$((volumes - 1))
done
if [ "$writable" = false ]; then mount -o remount,ro "$root"; fi
exec chroot "$root" setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs --inh-caps=-all \\
  --bounding-set=-all -- sh -c 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"`;

const PATH = "/opt/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin";
/** What a status keeps of a termination log. */
const MESSAGE = 4096;

/** Runs a container as a process that sees no other, and no file of this machine but programs and libraries. */
export function runContainer(started: Started): {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
} {
  const { container, env, folder, image } = started;
  const security = { ...started.security, ...container.securityContext };
  const user = security.runAsUser ?? 0;
  if (security.runAsNonRoot === true && user === 0) throw new Error("the container would run as root");
  const message = join(folder, `${container.name}.message`);
  writeFileSync(message, "");
  chmodSync(message, 0o666);
  const root = join(folder, `${container.name}.root`);
  mkdirSync(root, { recursive: true });
  const mounts = container.volumeMounts ?? [];
  const argv = [
    ...[root, image, message, security.readOnlyRootFilesystem !== true],
    ...[user, security.runAsGroup ?? user, container.workingDir ?? "/", mounts.length],
    ...mounts.flatMap((mount) => [
      join(folder, "volumes", mount.name),
      mount.mountPath,
      mount.readOnly === true,
    ]),
    ...(container.command ?? []),
    ...(container.args ?? []),
  ];
  const log = openSync(join(folder, `${container.name}.log`), "a");
  const child = spawn(
    "unshare",
    ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", SCRIPT, "sh", ...argv.map(String)],
    { env: { PATH, ...env }, stdio: ["ignore", log, log], detached: true },
  );
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      closeSync(log);
      const exitCode = code ?? (signal === "SIGKILL" ? 137 : 143);
      resolve({ exitCode, message: readFileSync(message, "utf8").slice(0, MESSAGE) });
    });
  });
  return { child, ended };
}
