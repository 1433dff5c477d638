#!/usr/bin/env node
// Package managers link a command only if its file is there, and `dist/` is built after the install of a checkout.
import { run } from "../dist/cli.js";

await run();
