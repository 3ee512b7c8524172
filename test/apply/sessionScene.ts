import type { Order } from "../../src/apply/order.js";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import type { Session } from "../../src/apply/session.js";
import type { Interface } from "../../src/kinds/interface.js";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Request } from "../../src/plan/request.js";
import type { Sandbox } from "../../src/sandbox/http/server.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import { orderFor } from "./order.js";
import { type RequestFields, requestFor } from "./request.js";
import { type SceneOptions, setScene } from "./scene.js";

/** A service and a state in memory, with no command line. */
export interface SessionScene {
  readonly session: Session;
  readonly contents: MemoryContents;
  readonly sandbox: Sandbox;
  readonly request: (manifests: string, more?: RequestFields) => Request;
  readonly order: (request: Request, more?: Partial<Order>) => Order;
  /** How many writes the service received. */
  readonly writes: () => number;
}

/** Sets the scene; it is taken down when the test ends. */
export async function sessionScene(
  on: Interface = "full",
  options: SceneOptions = {},
): Promise<SessionScene> {
  const { sandbox, client, clock } = await setScene({ on, ...options });
  const contents = memoryContents();
  const session = { store: memoryStore(contents, clock), client, clock, requestTimeout: 0, createLag: 0 };
  return {
    session,
    contents,
    sandbox,
    request: (manifests, more = {}) => requestFor(manifests, { server: sandbox.url, interface: on, ...more }),
    order: orderFor,
    writes: () =>
      ["CreateAutomation", "UpdateAutomation", "DeleteAutomation"].reduce(
        (sum, operation) => sum + sandbox.log.count({ operation }),
        0,
      ),
  };
}

/** The manifest of an automation whose condition is that expression. */
export function automation(
  name: string,
  expression = 'subject.department == "Engineering"',
  number = 1,
): string {
  return `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: ${name} }
spec:
  appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5A
  appEntitlementId: entitlement000000000000000${number}
  displayName: ${name}
  cel: { expression: '${expression}' }
`;
}

/** Answers to every guard. */
export const ACKNOWLEDGED_ALL = guardNames.map((guard) => ({ by: "flag", guard, address: null }) as const);

/** Applies manifests, and answers for every guard: how that ended. */
export async function applied(scene: SessionScene, text: string, more: RequestFields = {}): Promise<string> {
  const request = scene.request(text, { acknowledgements: ACKNOWLEDGED_ALL, ...more });
  return (await apply(scene.order(request), scene.session)).as;
}

/** The plan of manifests; throws what stood in its way. */
export async function planned(scene: SessionScene, text: string, more: RequestFields = {}): Promise<Planned> {
  const { value, diagnostics } = await plan(scene.request(text, more), scene.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** The guards that found something. */
export const guards = ({ findings }: Planned) => findings.map(({ guard }) => guard);
/** What the steps say, by its codes. */
export const codes = ({ steps }: Planned) =>
  steps.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
