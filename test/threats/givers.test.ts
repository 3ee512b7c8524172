import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SecretName, VARIABLES } from "../../src/model/variables.js";
import { cases } from "../fakes/cases.js";
import { makeCheckout } from "../fakes/checkout.js";
import { bundleCommand } from "../fakes/command.js";
import { hastyClock, runInside } from "../fakes/inside.js";

const SECRETS = Object.entries(VARIABLES)
  .filter(([name, { secret }]) => secret && !/^OTEL|PROXY$/.test(name))
  .map(([name]) => name as SecretName);
const KEY = Buffer.from("the key of a state that stays us").toString("hex");
const canaryOf = (name: SecretName) =>
  name === "REMIT_STATE_KEY" ? KEY : `canary-${Buffer.from(name).toString("hex")}-end`;
/** Every secret that remit knows is set; each has a text of its own. */
const CANARIES = Object.fromEntries(SECRETS.map((name) => [name, canaryOf(name)]));
const NAMES = { PGUSER: "fox", TF_HTTP_USERNAME: "fox", AWS_ACCESS_KEY_ID: "AKFOX", AWS_REGION: "eu-x-1" };
const MANIFEST = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C, id: 2fsgTvxP0DVTsNXEUBI7hOe0l5E, displayName: Team }
`;

const SSL_REQUEST = 80_877_103;
/** PostgreSQL's answer to a wrong password. */
const FIELDS = Buffer.from("SFATAL\0VFATAL\0C28P01\0Mwrong password\0\0");
const REFUSAL = Buffer.concat([Buffer.from("E"), Buffer.from([0, 0, 0, FIELDS.length + 4]), FIELDS]);

/** A server for HTTP and for PostgreSQL that keeps every byte it gets; it asks for a password in clear text. */
interface Listener {
  readonly port: number;
  readonly heard: () => string;
  readonly forget: () => void;
}

let server: Server;
let listener: Listener;
beforeAll(async () => {
  let heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let isStarted = false;
    socket.on("data", (bytes: Buffer) => {
      heard.push(bytes);
      if (/^[A-Z]+ \/\S* HTTP/.test(bytes.toString("latin1")))
        socket.end(
          'HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm="x"\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
        );
      else if (bytes.length === 8 && bytes.readInt32BE(4) === SSL_REQUEST) socket.write("N");
      else if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      } else socket.end(REFUSAL);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  listener = {
    port: address.port,
    heard: () => Buffer.concat(heard).toString("latin1"),
    forget: () => {
      heard = [];
    },
  };
});
afterAll(() => {
  server.close();
});

/** The secrets that a text contains, also in the forms in which headers and forms contain them. */
function secretsIn(text: string): readonly SecretName[] {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([one]) =>
    Buffer.from(one, "base64").toString("latin1"),
  );
  const all = [text, decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25")), ...decoded].join("\n");
  return SECRETS.filter((name) => all.includes(canaryOf(name)));
}

type Namer = "working tree" | "reviewed branch" | "operator";
const NAMERS: readonly Namer[] = ["working tree", "reviewed branch", "operator"];

interface Scheme {
  /** A setting and its value for a port. */
  readonly setting: (port: number) => readonly [name: "server" | "state", value: string];
  /** What the server may hear of those where it was named by someone who may. */
  readonly may: readonly SecretName[];
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  service: {
    setting: (port) => ["server", `http://127.0.0.1:${port}`],
    may: ["REMIT_TOKEN"],
  },
  postgres: {
    setting: (port) => ["state", `postgres://u@127.0.0.1:${port}/x`],
    may: ["PGPASSWORD"],
  },
  "postgres of no user": {
    setting: (port) => ["state", `postgresql://localhost:${port}/x?sslmode=disable&state=y`],
    may: ["PGPASSWORD"],
  },
  https: {
    setting: (port) => ["state", `http://127.0.0.1:${port}/state`],
    may: ["TF_HTTP_PASSWORD"],
  },
  s3: {
    setting: (port) => ["state", `s3://bucket/key?endpoint=http://127.0.0.1:${port}`],
    // A signature, and the token of keys that are lent.
    may: ["AWS_SESSION_TOKEN"],
  },
  git: {
    setting: (port) => ["state", `git:http://127.0.0.1:${port}/state.git#x`],
    may: ["REMIT_GIT_TOKEN"],
  },
};

const COMMANDS: readonly (readonly string[])[] = [
  ["plan"],
  ["plan", "--refresh-only"],
  ["apply", "--yes"],
  ["doctor"],
  ["state", "list"],
  ["state", "stores"],
  ["state", "show", "ResourceType/team"],
  ["state", "forget", "ResourceType/team"],
  ["state", "unlock", "--yes"],
  ["history"],
  ["import", "--into", "imported"],
  ["get", "ResourceType/team"],
  ["accept", "ResourceType/team"],
  ["config"],
  ["validate"],
];

/** A plan, which asks every server, and a third of the other commands: each pair of a command and a scheme or a namer is tried. The soak tries all. */
function commandsOf(place: number): typeof COMMANDS {
  return COMMANDS.filter((_, at) => at === 0 || (at + place) % 3 < cases(1));
}

describe.each(Object.entries(SCHEMES))("a secret of the environment and a server (%s)", (name, scheme) => {
  it.each(NAMERS)("that the %s names: it hears what it was given, and nothing else", async (namer) => {
    const [setting, value] = scheme.setting(listener.port);
    const isOperator = namer === "operator";
    const other = setting === "server" ? "" : "server: http://127.0.0.1:1\n";
    const checkout = makeCheckout({
      "remit.yaml": `manifests: [m]\n${other}${isOperator ? "" : `${setting}: ${JSON.stringify(value)}\n`}`,
      "m/team.yaml": MANIFEST,
    });
    checkout.commit();
    const env = {
      ...checkout.env,
      ...CANARIES,
      ...NAMES,
      ...(isOperator && { [`REMIT_${setting.toUpperCase()}`]: value }),
      ...(namer === "reviewed branch" && { REMIT_SETTINGS_FROM: "HEAD" }),
    };
    const sent = new Set<SecretName>();
    for (const argv of commandsOf(Object.keys(SCHEMES).indexOf(name) + NAMERS.indexOf(namer))) {
      listener.forget();
      const { stdout, stderr } = await runInside(argv, { cwd: checkout.root, env, clock: hastyClock(1000) });
      const found = secretsIn(listener.heard());
      expect([
        name,
        argv,
        found.filter((one) => namer === "working tree" || !scheme.may.includes(one)),
      ]).toEqual([name, argv, []]);
      expect(secretsIn(stdout + stderr)).toEqual([]);
      for (const one of found) sent.add(one);
    }
    // The listener hears what it may hear: otherwise this test would show nothing.
    if (namer !== "working tree") expect([...sent].toSorted()).toEqual([...scheme.may].toSorted());
  });
});

it("the client of PostgreSQL takes nothing from variables or files of its own", async () => {
  const checkout = makeCheckout({ "remit.yaml": "server: http://127.0.0.1:1\n" });
  checkout.write("home/.pgpass", "*:*:*:*:canary-of-pgpass\n");
  chmodSync(join(checkout.root, "home/.pgpass"), 0o600);
  const command = await bundleCommand();
  listener.forget();
  await command.run(["state", "list"], {
    cwd: checkout.root,
    env: {
      ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
      HOME: join(checkout.root, "home"),
      REMIT_STATE: `postgres://u@127.0.0.1:${listener.port}/x?state=y`,
      PGOPTIONS: "-c canary=1",
      PGREPLICATION: "canary",
      PGCLIENT_ENCODING: "canary",
      PGSSLMODE: "no-verify",
      PGSSLNEGOTIATION: "direct",
      PGAPPNAME: "canary",
      PGPASSFILE: join(checkout.root, "home/.pgpass"),
      PGSERVICE: "canary",
      NODE_PG_FORCE_NATIVE: "1",
    },
  });
  const heard = listener.heard();
  expect(heard).toContain("user\0u\0database\0x\0application_name\0remit\0");
  expect(heard).not.toContain("canary");
});
