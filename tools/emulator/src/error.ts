/** A request that cannot be emulated: its message says what was expected and what came. */
export class EmulatorError extends Error {
  override readonly name = "EmulatorError";
}
