/** Writes small ONNX models (onnx/onnx.proto), to have a real runtime run something that a test understands. */

type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** Numbers as varints, anything else with its length before it; -1 as the ten bytes of an int64. */
function message(fields: readonly Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (value === -1) return [...varint(number * 8), ...Array(9).fill(0xff), 1];
    if (typeof value === 'number') return [...varint(number * 8), ...varint(value)];
    const body =
      typeof value === 'string'
        ? new TextEncoder().encode(value)
        : value instanceof Uint8Array
          ? value
          : message(value);
    return [...varint(number * 8 + 2), ...varint(body.length), ...body];
  });
  return Uint8Array.from(parts.flat());
}

const TYPES = { float: 1, int64: 7 } as const;
type ElementType = keyof typeof TYPES;

export interface TensorSpec {
  readonly name: string;
  readonly type: ElementType;
  /** Names stand for sizes known only when it runs. */
  readonly shape: readonly (number | string)[];
}

export interface NodeSpec {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Attributes that are lists of integers, or one integer. */
  readonly attributes?: Readonly<Record<string, readonly number[] | number>>;
}

export interface ModelSpec {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly nodes: readonly NodeSpec[];
  readonly constants: readonly (TensorSpec & { readonly values: readonly number[] })[];
  readonly metadata: Readonly<Record<string, string | number>>;
}

function valueInfo({ name, type, shape }: TensorSpec): readonly Field[] {
  const dims = shape.map(
    (size): Field => [1, typeof size === 'number' ? [[1, size]] : [[2, size]]],
  );
  return [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, TYPES[type]],
            [2, dims],
          ],
        ],
      ],
    ],
  ];
}

function constant({ name, type, shape, values }: ModelSpec['constants'][number]): readonly Field[] {
  const raw =
    type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values, (n) => BigInt(n));
  return [
    ...shape.map((size): Field => [1, Number(size)]),
    [2, TYPES[type]],
    [8, name],
    [9, new Uint8Array(raw.buffer)],
  ];
}

function node({ op, inputs, outputs, attributes = {} }: NodeSpec): readonly Field[] {
  const attribute = ([name, value]: [string, readonly number[] | number]): Field => [
    5,
    typeof value === 'number'
      ? [
          [1, name],
          [3, value],
          [20, 2],
        ]
      : [[1, name], ...value.map((n): Field => [8, n]), [20, 7]],
  ];
  return [
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [4, op],
    ...Object.entries(attributes).map(attribute),
  ];
}

/** The bytes of a `.onnx` file. */
export function onnxModel(spec: ModelSpec): Uint8Array {
  const graph: readonly Field[] = [
    ...spec.nodes.map((it): Field => [1, node(it)]),
    [2, 'test'],
    ...spec.constants.map((it): Field => [5, constant(it)]),
    ...spec.inputs.map((it): Field => [11, valueInfo(it)]),
    ...spec.outputs.map((it): Field => [12, valueInfo(it)]),
  ];
  return message([
    [1, 8],
    [8, [[2, 13]]],
    [7, graph],
    ...Object.entries(spec.metadata).map(
      ([key, value]): Field => [
        14,
        [
          [1, key],
          [2, String(value)],
        ],
      ],
    ),
  ]);
}
