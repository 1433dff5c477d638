/** The stand-in for Metal: where it is, what it pretends, and what it has seen. */
export { openStandin, type Standin, type StandinReport } from "./control.js";
export { type StandinOptions, type StandinTarget, standinEnvironment, standinLibrary } from "./environment.js";
