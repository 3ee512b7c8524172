#!/usr/bin/env node
import { main } from "./commandLine/main.js";
import { collectEarly } from "./outside/memory.js";
import { processWorld } from "./outside/process.js";

collectEarly();
process.exitCode = await main(process.argv.slice(2), processWorld());
