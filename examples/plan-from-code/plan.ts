import {
  type Clock,
  DEFAULT_LIMITS,
  formatAddress,
  hasErrors,
  memoryContents,
  memoryStore,
  NO_SETTINGS,
  plan,
  type Request,
} from "remit-cli";

const request: Request = {
  project: {
    // No name in the state: this plan has none.
    name: null,
    // No project: the paths are the only input.
    manifests: { project: null, paths: process.argv.slice(2), cwd: process.cwd() },
    commit: null,
    removals: { decisions: [], isPruneStanding: false },
    moved: [],
  },
  history: { since: null, reviewed: null, mainline: null },
  tenant: { server: "https://example.conductor.one", interface: "auto", width: 10 },
  mode: { offline: true, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null },
  rules: {
    limits: DEFAULT_LIMITS,
    acknowledgements: [],
    today: new Date().toISOString().slice(0, 10),
    settings: NO_SETTINGS,
  },
  // No people are counted: this plan does not ask the tenant.
  optional: { counting: null, nameCalls: 0 },
};

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

// An empty state and no client: everything in the manifests is new.
const store = memoryStore(memoryContents(), clock);
const session = { store, client: null, clock, requestTimeout: 30_000, createLag: 60_000 };
const { value, diagnostics } = await plan(request, session);

for (const { code, message, span } of diagnostics) console.error(code, message, span?.file ?? "");
for (const {
  action,
  address,
  managed: { span },
} of value?.steps ?? [])
  console.log(`${action}  ${formatAddress(address)}  ${span?.file ?? ""}:${span?.start.line ?? ""}`);
if (value === null || hasErrors(diagnostics)) process.exitCode = 5;
