/** Hand-written WebAssembly: the few instructions used by the network's kernels. */
type Code = readonly number[];

const SIMD = 0xfd;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest > 127;
    bytes.push((rest & 127) | (more ? 128 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const done = (rest >> 7 === 0 && (rest & 64) === 0) || (rest >> 7 === -1 && (rest & 64) !== 0);
    bytes.push((rest & 127) | (done ? 0 : 128));
    if (done) return bytes;
  }
}

function float32(value: number): number[] {
  return [...new Uint8Array(new Float32Array([value]).buffer)];
}

const simd = (opcode: number): Code => [SIMD, ...unsigned(opcode)];
/** Alignment is only a hint; 4 bytes suit all accesses. */
const memory =
  (opcode: number) =>
  (offset: number): Code => [...simd(opcode), 2, ...unsigned(offset)];

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

/** Instructions, named as in the specification's text format. */
export const op = {
  loop: [0x03, 0x40],
  end: [0x0b],
  brIf: (depth: number): Code => [0x0d, ...unsigned(depth)],
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  tee: (local: number): Code => [0x22, ...unsigned(local)],
  i32Const: (value: number): Code => [0x41, ...signed(value)],
  f32Const: (value: number): Code => [0x43, ...float32(value)],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32Mul: [0x6c],
  i32LtU: [0x49],
  v128Load: memory(0x00),
  v128LoadSplat: memory(0x09),
  v128Store: memory(0x0b),
  f32x4Splat: simd(0x13),
  i32x4Splat: simd(0x11),
  f32x4Add: simd(0xe4),
  f32x4Sub: simd(0xe5),
  f32x4Mul: simd(0xe6),
  f32x4Div: simd(0xe7),
  f32x4Min: simd(0xe8),
  f32x4Max: simd(0xe9),
  f32x4Sqrt: simd(0xe3),
  f32x4Nearest: simd(0x6a),
  i32x4TruncSatF32x4: simd(0xf8),
  i32x4Add: simd(0xae),
  i32x4Shl: simd(0xab),
  /** a · b + c, with a single rounding where the machine supports it. */
  f32x4RelaxedMadd: simd(0x105),
} as const;

export interface WasmFunction {
  readonly name: string;
  readonly params: readonly number[];
  /** Types of the locals after the parameters. */
  readonly locals: readonly number[];
  readonly body: readonly Code[];
}

const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const text = (value: string): Code => sized([...Buffer.from(value)]);
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(vector(items))];

/** A module of these functions with a memory imported as `env.memory`. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ params }) => [0x60, ...sized(params), 0]);
  const imports = [[...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]];
  const exports = functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)]);
  const codes = functions.map(({ locals, body }) =>
    sized([...vector(locals.map((type) => [1, type])), ...body.flat(), ...op.end]),
  );
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, imports),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(7, exports),
    ...section(10, codes),
  ]);
}
