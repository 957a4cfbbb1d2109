/** A constant tensor of the model. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** The named constants of one graph of the model, without its nested graphs. */
export type TensorsByName = ReadonlyMap<string, Tensor>;

type Field = readonly [number: number, value: number | Uint8Array];

/** Field numbers in `onnx.proto3`. */
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE_TENSOR = 5;
const ATTRIBUTE_GRAPH = 6;
const TENSOR_DIMS = 1;
const TENSOR_TYPE = 2;
const TENSOR_NAME = 8;
const TENSOR_RAW = 9;
const TYPE_FLOAT = 1;

/**
 * Reads the 32-bit float constants of an ONNX model: one map per graph that has any, in file order. Throws RangeError
 * when the file is not a model.
 */
export function readOnnxTensors(model: Uint8Array): readonly TensorsByName[] {
  const found: TensorsByName[] = [];
  for (const graph of messages(fieldsOf(model), MODEL_GRAPH)) readGraph(graph, found);
  return found;
}

function readGraph(graph: Uint8Array, found: TensorsByName[]): void {
  const tensors = new Map<string, Tensor>();
  for (const node of messages(fieldsOf(graph), GRAPH_NODE)) {
    for (const attribute of messages(fieldsOf(node), NODE_ATTRIBUTE)) {
      const fields = fieldsOf(attribute);
      for (const inner of messages(fields, ATTRIBUTE_GRAPH)) readGraph(inner, found);
      for (const tensor of messages(fields, ATTRIBUTE_TENSOR)) readTensor(tensor, tensors);
    }
  }
  if (tensors.size > 0) found.push(tensors);
}

function readTensor(message: Uint8Array, tensors: Map<string, Tensor>): void {
  const fields = fieldsOf(message);
  const name = messages(fields, TENSOR_NAME)[0];
  const raw = messages(fields, TENSOR_RAW)[0];
  const isFloat = fields.some(([number, value]) => number === TENSOR_TYPE && value === TYPE_FLOAT);
  if (!isFloat || !name || !raw) return;
  const dims = fields.flatMap(([number, value]) =>
    number === TENSOR_DIMS && typeof value === 'number' ? value : [],
  );
  // Copied, because the bytes may not be aligned in the file.
  const values = new Float32Array(Uint8Array.from(raw).buffer);
  if (dims.reduce((product, dim) => product * dim, 1) !== values.length) {
    throw new RangeError(`tensor ${Buffer.from(name).toString()} is not of its own shape`);
  }
  tensors.set(Buffer.from(name).toString(), { dims, values });
}

function messages(fields: readonly Field[], wanted: number): Uint8Array[] {
  return fields.flatMap(([number, value]) =>
    number === wanted && typeof value !== 'number' ? value : [],
  );
}

/** The fields of a protobuf message, except those of fixed width. */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('the model file is cut off');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        fields.push([number, varint()]);
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const end = varint() + at;
        if (end > message.length) throw new RangeError('the model file is cut off');
        fields.push([number, message.subarray(at, end)]);
        at = end;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        throw new RangeError('this is no model file');
    }
  }
  return fields;
}
