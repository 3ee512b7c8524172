import { DEFAULT_LIMITS, formatAddress, hasErrors, plan, type Request } from "remit-cli";

const request: Request = {
  manifests: { paths: process.argv.slice(2), cwd: process.cwd() },
  server: "https://example.conductor.one",
  interface: "auto",
  mode: { offline: true, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null },
  commit: null,
  limits: DEFAULT_LIMITS,
  acknowledgements: [],
  today: new Date().toISOString().slice(0, 10),
  width: 10,
};

// Without a state and a server, everything in the manifests is new.
const { value, diagnostics } = await plan(request, null, null, () => undefined);

for (const { code, message, span } of diagnostics) console.error(code, message, span?.file ?? "");
for (const { action, address, span } of value?.steps ?? [])
  console.log(`${action}  ${formatAddress(address)}  ${span?.file ?? ""}:${span?.start.line ?? ""}`);
if (value === null || hasErrors(diagnostics)) process.exitCode = 5;
