import type { Interface } from "./exchange.js";
export function describeApi(spoken: Interface): string {
  return `openapi: 3.1.0 # ${spoken}\n`;
}
