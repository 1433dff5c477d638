// Checked by `pnpm typecheck`: a wrong type here is a compile error.
import { expectTypeOf } from "vitest";
import type { PairImplementation } from "../../src/family.js";
import {
  type CommonOptions,
  type Dtype,
  definePair,
  type Gradients,
  MetileError,
  scope,
  Tensor,
  tensor,
  zeros,
} from "../../src/index.js";

// What data() and dataSync() give follows from the type.
expectTypeOf(zeros([1], "float32").dataSync()).toEqualTypeOf<Float32Array>();
expectTypeOf(zeros([1], "float16").dataSync()).toEqualTypeOf<Float32Array>();
expectTypeOf(zeros([1], "bfloat16").data()).resolves.toEqualTypeOf<Float32Array>();
expectTypeOf(zeros([1], "int32").data()).resolves.toEqualTypeOf<Int32Array>();
expectTypeOf(zeros([1], "uint32").dataSync()).toEqualTypeOf<Uint32Array>();
expectTypeOf(zeros([1], "bool").dataSync()).toEqualTypeOf<Uint8Array>();
expectTypeOf(zeros([1]).cast("int32").dataSync()).toEqualTypeOf<Int32Array>();

// The type of a tensor is that of its values, or the one that is named.
expectTypeOf(tensor([1, 2])).toEqualTypeOf<Tensor<"float32">>();
expectTypeOf(tensor(3)).toEqualTypeOf<Tensor<"float32">>();
expectTypeOf(tensor([[1], [2]])).toEqualTypeOf<Tensor<"float32">>();
expectTypeOf(tensor(new Float64Array(1))).toEqualTypeOf<Tensor<"float32">>();
expectTypeOf(tensor(new Int32Array(1))).toEqualTypeOf<Tensor<"int32">>();
expectTypeOf(tensor(new BigInt64Array(1))).toEqualTypeOf<Tensor<"int32">>();
expectTypeOf(tensor([1n])).toEqualTypeOf<Tensor<"int32">>();
expectTypeOf(tensor(new Uint32Array(1))).toEqualTypeOf<Tensor<"uint32">>();
expectTypeOf(tensor([true, false])).toEqualTypeOf<Tensor<"bool">>();
expectTypeOf(tensor([1, 2], [2], "bfloat16")).toEqualTypeOf<Tensor<"bfloat16">>();
expectTypeOf(tensor(new Int32Array(1), null, "float16")).toEqualTypeOf<Tensor<"float16">>();

// Views keep the type; any tensor is a Tensor.
expectTypeOf(tensor([1n]).reshape([1]).transpose().slice([0]).expand([2]).handle().clone()).toEqualTypeOf<
  Tensor<"int32">
>();
expectTypeOf<Tensor<"int32">>().toExtend<Tensor>();
// @ts-expect-error not a type
zeros([1], "float64");
// @ts-expect-error a shape is a list
zeros(3);
// @ts-expect-error shapes are not written to
tensor([1]).shape[0] = 2;

// Pairs: one output is a tensor, several are an object; gradients have the inputs' names.
declare const single: PairImplementation<"output", "source" | "weight", object, null>;
declare const several: PairImplementation<"output" | "residual", "source", object, null>;
const one = definePair<
  [source: Tensor, weight?: Tensor | null, options?: CommonOptions],
  "output",
  "source" | "weight",
  object,
  null
>(single);
const two = definePair<[source: Tensor], "output" | "residual", "source", object, null>(several);
declare const source: Tensor;

expectTypeOf(one(source)).toEqualTypeOf<Tensor>();
expectTypeOf(two(source)).toEqualTypeOf<{ readonly output: Tensor; readonly residual: Tensor }>();
expectTypeOf(one.forward(source).output).toEqualTypeOf<Tensor>();
expectTypeOf(two.forward(source).residual).toEqualTypeOf<Tensor>();
expectTypeOf(one.backward(one.forward(source).saved, source)).toEqualTypeOf<Gradients<"source" | "weight">>();
expectTypeOf<keyof Gradients<"source" | "weight">>().toEqualTypeOf<"source" | "weight">();
two.backward(two.forward(source).saved, { residual: source, output: null });
// @ts-expect-error no such output
two.backward(two.forward(source).saved, { hidden: source });
// @ts-expect-error a host array is no tensor
one(new Float32Array(1));
// @ts-expect-error no such gradient
one.backward(one.forward(source).saved, source).bias;

// A scope gives what its function gives.
expectTypeOf(scope(() => source)).toEqualTypeOf<Tensor>();
expectTypeOf(scope(async () => [source])).resolves.toEqualTypeOf<Tensor[]>();

// Errors and tensors narrow by instanceof.
declare const anything: unknown;
if (anything instanceof MetileError) {
  expectTypeOf(anything.operation).toEqualTypeOf<string | undefined>();
  expectTypeOf(anything.message).toEqualTypeOf<string>();
}
if (anything instanceof Tensor) expectTypeOf(anything.dtype).toEqualTypeOf<Dtype>();
