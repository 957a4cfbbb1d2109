import { F32, I32, op, V128, type WasmFunction, wasmModule } from './wasm-code.ts';

/** Windows processed together, one per SIMD lane. */
export const LANES = 4;
/** Matrix rows multiplied together. */
export const BLOCK_ROWS = 8;
/** Column counts are multiples of this. */
export const COLUMN_STEP = 4;

const VECTOR_BYTES = 4 * LANES;

/** Pointers are byte offsets into the memory; every vector is stored as `[index][lane]`. */
export interface Kernels {
  /**
   * `y = max(floor, W·x + bias)` over `blocks` of {@link BLOCK_ROWS} rows. `columns` of each block are used; blocks
   * are `blockBytes` apart and store their weights as `[column][row]`.
   */
  dense(
    y: number,
    x: number,
    weights: number,
    bias: number,
    blocks: number,
    columns: number,
    blockBytes: number,
    floor: number,
  ): void;
  /** `y[i] = √(re[i]² + im[i]²)` for `count` vectors. */
  magnitude(y: number, re: number, im: number, count: number): void;
  /**
   * One step of `count` LSTM cells. `gates` holds all input, then all forget, cell and output gates. Overwrites the
   * cell and hidden states.
   */
  cell(gates: number, c: number, h: number, count: number): void;
}

const load = (local: number, offset = 0) => [...op.get(local), ...op.v128Load(offset)];
const advance = (local: number, bytes: number) => [
  ...op.get(local),
  ...op.i32Const(bytes),
  ...op.i32Add,
  ...op.set(local),
];
const splat = (value: number) => [...op.f32Const(value), ...op.f32x4Splat];
/** Repeats the innermost loop while the pointer is below its end. */
const repeatUntil = (pointer: number, end: number) => [
  ...op.get(pointer),
  ...op.get(end),
  ...op.i32LtU,
  ...op.brIf(0),
  ...op.end,
];
const endOfVectors = (from: number, count: number, end: number) => [
  ...op.get(from),
  ...op.get(count),
  ...op.i32Const(VECTOR_BYTES),
  ...op.i32Mul,
  ...op.i32Add,
  ...op.set(end),
];

function dense(): WasmFunction {
  const [y, x, weights, bias, blocks, columns, blockBytes, floor] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [xAt, wAt, xEnd, yEnd, xv] = [8, 9, 10, 11, 12];
  const sums = Array.from({ length: BLOCK_ROWS }, (_, row) => 13 + row);
  const multiply = Array.from({ length: COLUMN_STEP }, (_, step) => [
    ...load(xAt, step * VECTOR_BYTES),
    ...op.set(xv),
    ...sums.flatMap((sum, row) => [
      ...op.get(wAt),
      ...op.v128LoadSplat(4 * (step * BLOCK_ROWS + row)),
      ...op.get(xv),
      ...op.get(sum),
      ...op.f32x4RelaxedMadd,
      ...op.set(sum),
    ]),
  ]).flat();
  return {
    name: 'dense',
    params: [I32, I32, I32, I32, I32, I32, I32, F32],
    locals: [I32, I32, I32, I32, V128, ...sums.map(() => V128)],
    body: [
      endOfVectors(x, columns, xEnd),
      [...op.get(y), ...op.get(blocks), ...op.i32Const(BLOCK_ROWS * VECTOR_BYTES)],
      [...op.i32Mul, ...op.i32Add, ...op.set(yEnd)],
      op.loop,
      sums.flatMap((sum, row) => [...op.get(bias), ...op.v128LoadSplat(4 * row), ...op.set(sum)]),
      [...op.get(x), ...op.set(xAt), ...op.get(weights), ...op.set(wAt)],
      op.loop,
      multiply,
      advance(xAt, COLUMN_STEP * VECTOR_BYTES),
      advance(wAt, COLUMN_STEP * BLOCK_ROWS * 4),
      repeatUntil(xAt, xEnd),
      sums.flatMap((sum, row) => [
        ...op.get(y),
        ...op.get(sum),
        ...op.get(floor),
        ...op.f32x4Splat,
        ...op.f32x4Max,
        ...op.v128Store(row * VECTOR_BYTES),
      ]),
      [...op.get(weights), ...op.get(blockBytes), ...op.i32Add, ...op.set(weights)],
      advance(bias, 4 * BLOCK_ROWS),
      advance(y, BLOCK_ROWS * VECTOR_BYTES),
      repeatUntil(y, yEnd),
    ],
  };
}

function magnitude(): WasmFunction {
  const [y, re, im, count, end] = [0, 1, 2, 3, 4];
  const square = (local: number) => [...load(local), ...load(local), ...op.f32x4Mul];
  return {
    name: 'magnitude',
    params: [I32, I32, I32, I32],
    locals: [I32],
    body: [
      endOfVectors(y, count, end),
      op.loop,
      [...op.get(y), ...square(re), ...square(im), ...op.f32x4Add, ...op.f32x4Sqrt],
      op.v128Store(0),
      [y, re, im].flatMap((local) => advance(local, VECTOR_BYTES)),
      repeatUntil(y, end),
    ],
  };
}

/** 2^f on [-½, ½], highest power first; the relative error is below 2e-7. */
const POWER_OF_TWO = [
  1.540353e-4, 1.3333558e-3, 9.6181291e-3, 5.5504109e-2, 2.4022651e-1, 6.9314718e-1, 1,
];

/** Replaces `t` on the stack with 1 / (1 + 2^t); uses two locals. */
function reciprocalOfOnePlusPower(t: number, whole: number): number[] {
  return [
    // Beyond these limits the result is 0 or 1 to the last bit.
    ...splat(-60),
    ...op.f32x4Max,
    ...splat(60),
    ...op.f32x4Min,
    ...op.tee(t),
    ...op.f32x4Nearest,
    ...op.set(whole),
    ...op.get(t),
    ...op.get(whole),
    ...op.f32x4Sub,
    ...op.set(t),
    ...splat(POWER_OF_TWO[0] as number),
    ...POWER_OF_TWO.slice(1).flatMap((factor) => [
      ...op.get(t),
      ...op.f32x4Mul,
      ...splat(factor),
      ...op.f32x4Add,
    ]),
    // Multiplies by 2^whole: the exponent of a float starts at bit 23.
    ...op.get(whole),
    ...op.i32x4TruncSatF32x4,
    ...op.i32Const(23),
    ...op.i32x4Shl,
    ...op.i32x4Add,
    ...splat(1),
    ...op.f32x4Add,
    ...op.set(t),
    ...splat(1),
    ...op.get(t),
    ...op.f32x4Div,
  ];
}

function cell(): WasmFunction {
  const [gates, c, h, count, end, stride, t, whole, next] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const at = (gate: number) => [
    ...op.get(gates),
    ...op.get(stride),
    ...op.i32Const(gate),
    ...op.i32Mul,
    ...op.i32Add,
    ...op.v128Load(0),
  ];
  const scaled = (factor: number) => [...splat(factor), ...op.f32x4Mul];
  const sigmoid = [...scaled(-Math.LOG2E), ...reciprocalOfOnePlusPower(t, whole)];
  // tanh v = 2 σ(2v) − 1
  const tanh = [
    ...scaled(-2 * Math.LOG2E),
    ...reciprocalOfOnePlusPower(t, whole),
    ...scaled(2),
    ...splat(1),
    ...op.f32x4Sub,
  ];
  const [INPUT, FORGET, CELL, OUTPUT] = [0, 1, 2, 3];
  return {
    name: 'cell',
    params: [I32, I32, I32, I32],
    locals: [I32, I32, V128, V128, V128],
    body: [
      endOfVectors(c, count, end),
      [...op.get(count), ...op.i32Const(VECTOR_BYTES), ...op.i32Mul, ...op.set(stride)],
      op.loop,
      [...at(FORGET), ...sigmoid, ...load(c), ...op.f32x4Mul, ...op.set(next)],
      [...at(INPUT), ...sigmoid, ...at(CELL), ...tanh, ...op.f32x4Mul],
      [...op.get(next), ...op.f32x4Add, ...op.set(next)],
      [...op.get(c), ...op.get(next), ...op.v128Store(0)],
      [...op.get(h), ...at(OUTPUT), ...sigmoid, ...op.get(next), ...tanh, ...op.f32x4Mul],
      op.v128Store(0),
      [gates, c, h].flatMap((local) => advance(local, VECTOR_BYTES)),
      repeatUntil(c, end),
    ],
  };
}

/** Builds the module with the network's arithmetic: {@link Kernels} over `env.memory`. */
export function kernelModule(): Uint8Array {
  return wasmModule([dense(), magnitude(), cell()]);
}
