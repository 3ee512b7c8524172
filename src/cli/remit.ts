#!/usr/bin/env node
import { main } from "./commandLine/main.js";
import { processWorld } from "./outside/process.js";

process.exitCode = await main(process.argv.slice(2), processWorld());
