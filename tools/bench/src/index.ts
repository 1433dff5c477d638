/**
 * Measuring operations beside a plain copy and beside other libraries, in interleaved rounds.
 *
 * @module
 */
export { type Case, casesOf, describeCase, type Pass, type Shape } from "./measure/case.js";
export { type Peer, PeerUnavailable, type Prepared } from "./measure/peer.js";
export { type CaseResult, measureCase, type RunOptions } from "./measure/runner.js";
export { quantile, type Summary, summarize } from "./measure/statistics.js";
export { normals, seededRandom } from "./operations/fill.js";
export { operationNamed, operations } from "./operations/index.js";
export type { Fill, ForwardPass, Inputs, Operation } from "./operations/operation.js";
export { CopyPeer } from "./peers/copy.js";
export { MetilePeer } from "./peers/metile.js";
export { type Figures, figuresOf } from "./report/figures.js";
export { type Output, Progress, widthOf } from "./report/progress.js";
export { type Column, renderTable } from "./report/table.js";
export { digits, percent } from "./report/tables.js";
