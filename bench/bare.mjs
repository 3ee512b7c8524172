// A bare got loop over the bodies that an apply of template scopes sends: what speed is held against. Each runs in a
// process of its own, as each apply does, so that neither is warmer than the other.
import { execFile } from "node:child_process";
import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import got from "got";
import { C1, id } from "./stage.mjs";

const run = promisify(execFile);
const here = fileURLToPath(import.meta.url);

/** Milliseconds that so many writes take, so many at a time. */
export async function bareLoop({ server, count, width }) {
  const { stdout } = await run(process.execPath, [here, JSON.stringify({ server, count, width })]);
  return Number(stdout);
}

/** Milliseconds that so many creates of types take, so many at a time. */
export async function bareCreates(options) {
  const { stdout } = await run(process.execPath, [here, JSON.stringify({ ...options, creates: true })]);
  return Number(stdout);
}

/** Milliseconds that the calls of a first apply of automations take without a tool: a token, then a get and a create each. */
export async function idealApply({ server, count, width }) {
  const [node, ...argv] = idealCommand({ server, count, width });
  const { stdout } = await run(node, argv);
  return Number(stdout);
}

/** The arguments of node that make the calls of an apply or a plan: a get each, and a write of some. */
export function idealCommand(options) {
  return [process.execPath, here, JSON.stringify({ ...options, ideal: true })];
}

const kept = { keepAlive: true };

/** Writes one of so many objects; none where that is 0. */
async function ideal({ server, objects = "automations", count, width, ...writes }) {
  const agent = {
    http: new Agent({ ...kept, maxFreeSockets: width }),
    https: new SecureAgent({ ...kept, maxFreeSockets: width }),
  };
  const started = performance.now();
  const form = {
    grant_type: "client_credentials",
    client_id: "sandbox@127.0.0.1/spc",
    client_secret: "sandbox",
  };
  const { access_token } = await got.post(`${server}/auth/v1/token`, { agent, form }).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const bare = got.extend({ agent, retry: { limit: 0 }, throwHttpErrors: false, headers });
  const { write = "create", every = 1, word = "before" } = writes;
  const send = await SENDERS[objects](bare, server, write, word);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const reply = await send(number, every !== 0 && number % every === 0);
      if (reply !== null && reply.statusCode !== 200)
        throw new Error(`a ${write} answered ${reply.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  agent.http.destroy();
  agent.https.destroy();
  return performance.now() - started;
}

/** What is sent for one object: an automation has a read of its own, the types of an app are in one list. */
const SENDERS = {
  automations: async (bare, server, write, word) => async (number, isWritten) => {
    const url = `${server}/api/v1/apps/${C1}/entitlements/${id("G", number)}/automation`;
    await bare.get(url);
    const expression = `subject.department == "Team ${number}"`;
    const automation = { displayName: `Group ${number}`, description: word, cel: { expression } };
    const json = write === "create" ? { automation } : automation;
    return isWritten ? bare.post(`${url}/${write}`, { json }) : null;
  },
  types: async (bare, server, write, word) => {
    const url = `${server}/api/v1/apps/${id("P", 0)}/resource_types`;
    const shown = new Map();
    for (let page = ""; page !== undefined; ) {
      const read = await bare.get(url, { searchParams: { page_size: 100, page_token: page } }).json();
      for (const { appResourceType } of read.list) shown.set(appResourceType.displayName, appResourceType.id);
      page = read.nextPageToken || undefined;
    }
    return (number, isWritten) => {
      const displayName = `Team ${number} ${word}`;
      if (!isWritten) return null;
      if (write === "create") return bare.post(url, { json: { displayName, resourceType: "CUSTOM" } });
      const json = { appResourceType: { displayName }, updateMask: "displayName" };
      return bare.post(`${url}/${shown.get(`Team ${number} before`)}`, { json });
    };
  },
};

async function loop({ server, count, width, creates = false }) {
  const agent = {
    http: new Agent({ ...kept, maxFreeSockets: width }),
    https: new SecureAgent({ ...kept, maxFreeSockets: width }),
  };
  const bare = got.extend({ agent, retry: { limit: 0 }, headers: { authorization: "Bearer sandbox" } });
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const { path, json } = creates ? typeOf(number) : scopeOf(number);
      await bare.post(`${server}/api/v1/${path}`, { json }).json();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  agent.http.destroy();
  agent.https.destroy();
  return performance.now() - started;
}

function typeOf(number) {
  const json = { displayName: `New team ${number}`, resourceType: "CUSTOM" };
  return { path: `apps/${id("P", Math.floor(number / 50))}/resource_types`, json };
}

function scopeOf(number) {
  return {
    path: `access_review_template/${id("T", number)}/scope_and_entitlements`,
    json: bodyOf(number),
  };
}

function bodyOf(number) {
  const entitlements = ["E", "F"].map((letter) => ({
    appEntitlementId: id(letter, number),
    appId: id("A", number),
  }));
  const scope = {
    appSelectionCriteria: { riskLevelAttributeValueIds: [id("R", number), id("S", number)] },
    grantsByCriteria: { daysSinceLastUsed: "7776000s", typeFilter: "GRANT_FILTER_TYPE_PERMANENT" },
    userCriteria: { userStatus: ["ENABLED"] },
  };
  return { entitlements, scope };
}

if (process.argv[1] === here) {
  const options = JSON.parse(process.argv[2]);
  console.log(await (options.ideal === true ? ideal(options) : loop(options)));
}
