import { expect, it } from "vitest";
import { findUnmanaged } from "../../../src/commands/plan/unmanaged.js";
import { EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { memorySession } from "../../apply/memorySession.js";
import { requestFor } from "../../apply/request.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

it("gives each of many unmanaged objects its app and its fields", async () => {
  const count = 503;
  const id = (letter: string, number: number) =>
    `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;
  const tenant = {
    ...EMPTY_TENANT,
    apps: [{ id: id("P", 0), displayName: "GitHub", isManuallyManaged: true }],
    resourceTypes: Array.from({ length: count }, (_, at) => ({
      appId: id("P", 0),
      id: id("Y", at),
      displayName: `Team ${at}`,
      traitIds: [],
    })),
  };
  const clock = fakeClock();
  const { client } = directClient({ tenant }, clock);
  const session = memorySession(client, clock);
  const asked = { request: requestFor(null), ignored: [], progress: () => undefined };
  const { value } = await findUnmanaged(asked, session);
  const found = value.kinds.find(({ kind }) => kind === "ResourceType")?.objects ?? [];
  expect(found).toHaveLength(count);
  const like = (at: number) => ({ name: `Team ${at}`, app: "GitHub", lines: [`displayName: Team ${at}`] });
  expect(found).toEqual(found.map((_, at) => expect.objectContaining(like(at))));
});
