#!/usr/bin/env node
import { main } from "./main.js";
import { processWorld } from "./process.js";

process.exitCode = await main(process.argv.slice(2), processWorld());
