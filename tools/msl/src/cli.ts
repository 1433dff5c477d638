import { main } from "./command.js";

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // the message of what we throw says all; a mistake of ours needs its stack
  const ours = !(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError;
  console.error(ours ? error : error.message);
  process.exitCode = 1;
}
