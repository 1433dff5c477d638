/**
 * What authors of kernel families use beside the public API: kernels from a build's output, rows of tensors, contracts.
 *
 * @module
 */
export { type Dtype, dtypeInfo, isFloating } from "./dtype/dtype.js";
export * from "./kernel/index.js";
export * from "./pair/index.js";
export { addParts } from "./reduce/add-parts.js";
export { elementLaunch, partialLaunch, type RowLaunch, type RowOperand, rowLaunch } from "./rows/launch.js";
export { asParameter } from "./rows/parameter.js";
export { asRows, type Rows } from "./rows/rows.js";
export { consume } from "./tensor/consume.js";
export { allocate } from "./tensor/create.js";
export { contiguousStrides, sizeOf } from "./tensor/geometry.js";
