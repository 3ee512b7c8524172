import { type IPty, spawn } from "@lydell/node-pty";

/** A program in a terminal of its own, typed to and looked at as a person does. */
export interface Terminal {
  readonly pty: IPty;
  /** All that it has shown so far, escape sequences included. */
  seen(): string;
  /** Resolves once something stands there that was not there before. */
  until(text: string | RegExp): Promise<void>;
  /** The exit code as a shell tells it: 130 for who died of SIGINT. */
  readonly ended: Promise<number>;
}

/** How a program is started. */
export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Starts a program in a pseudo-terminal. */
export function openTerminal(program: string, argv: readonly string[], start: Start): Terminal {
  const { cwd, env = {}, columns = 80, rows = 24 } = start;
  const pty = spawn(program, [...argv], {
    cwd,
    cols: columns,
    rows,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
  });
  let [heard, from] = ["", 0];
  const waiting = new Set<() => void>();
  pty.onData((text) => {
    heard += text;
    for (const look of [...waiting]) look();
  });
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal = 0 }) => resolve(signal === 0 ? exitCode : 128 + signal)),
  );

  return {
    pty,
    ended,
    seen: () => heard,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const rest = heard.slice(from);
          const match = typeof wanted === "string" ? rest.indexOf(wanted) : rest.search(wanted);
          if (match === -1) return;
          from += match + (typeof wanted === "string" ? wanted.length : 1);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((code) => {
          if (waiting.has(look))
            reject(new Error(`it left with ${code} before ${wanted} was seen:\n${heard}`));
        });
      }),
  };
}
