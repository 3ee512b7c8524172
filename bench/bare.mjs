// A bare got loop over the bodies that an apply of template scopes sends: what speed is held against. Each runs in a
// process of its own, as each apply does, so that neither is warmer than the other.
import { execFile } from "node:child_process";
import { Agent } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import got from "got";
import { id } from "./stage.mjs";

const run = promisify(execFile);
const here = fileURLToPath(import.meta.url);

/** Milliseconds that so many writes take, so many at a time. */
export async function bareLoop({ server, count, width }) {
  const { stdout } = await run(process.execPath, [here, JSON.stringify({ server, count, width })]);
  return Number(stdout);
}

async function loop({ server, count, width }) {
  const agent = { http: new Agent({ keepAlive: true, maxFreeSockets: width }) };
  const bare = got.extend({ agent, retry: { limit: 0 }, headers: { authorization: "Bearer sandbox" } });
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const url = `${server}/api/v1/access_review_template/${id("T", number)}/scope_and_entitlements`;
      await bare.post(url, { json: bodyOf(number) }).json();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  agent.http.destroy();
  return performance.now() - started;
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

if (process.argv[1] === here) console.log(await loop(JSON.parse(process.argv[2])));
