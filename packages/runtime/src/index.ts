/**
 * Tensors, devices and forward/backward pairs: what every meTile family stands on.
 *
 * @module
 */

export type { Device, DeviceCounters, DeviceInfo, DeviceName, GpuTime, MemoryInfo } from "./device/device.js";
export { availableDevices, device } from "./device/select.js";
export type { DataOf, Dtype, FloatingDtype } from "./dtype/dtype.js";
export {
  ArgumentError,
  DeviceError,
  DtypeError,
  FaultError,
  KernelError,
  LifetimeError,
  MemoryError,
  MetileError,
  ShapeError,
} from "./errors/index.js";
export { type CompiledKernels, compileKernels } from "./kernel/compile.js";
export type { BackwardOptions, CommonOptions, Cotangents, Gradients, GradientType, Pair } from "./pair/index.js";
export { definePair, Saved } from "./pair/index.js";
export { scope } from "./scope/scope.js";
export type { Disposable } from "./scope/tracker.js";
export { full, ones, tensor, zeros } from "./tensor/create.js";
export type { HostArray, Nested, TensorValues } from "./tensor/nested.js";
export { Tensor } from "./tensor/tensor.js";
export { version } from "./version.js";
