#!/usr/bin/env node
// Package managers link a command only if its file is there, and `dist/` is built after the install.
import "../dist/cli.js";
