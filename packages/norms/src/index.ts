/**
 * Normalisations as forward/backward pairs.
 *
 * @module
 */
export { type AddRmsNormOptions, addRmsNorm } from "./add-rms-norm/add-rms-norm.js";
export { type LayerNormOptions, layerNorm } from "./layer-norm/layer-norm.js";
export { type RmsNormOptions, rmsNorm } from "./rms-norm/rms-norm.js";
export type { Casting } from "./shared/arguments.js";
