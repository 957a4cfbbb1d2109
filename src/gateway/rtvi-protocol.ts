/**
 * The frames of Pipecat's WebSocket transport: one protobuf message `pipecat.Frame` in each binary message of the socket,
 * which holds audio, or a message of the RTVI standard as JSON. Field numbers are those of Pipecat's `frames.proto`.
 */
export type RtviFrame =
  | {
      readonly type: 'audio';
      /** PCM16, little-endian; a view of what was read. */
      readonly audio: Uint8Array;
      readonly sampleRateHz: number;
      readonly channels: number;
    }
  | { readonly type: 'message'; readonly json: string }
  /** Text or a transcription, which clients do not send. */
  | { readonly type: 'other' };

/** A message of the RTVI standard. */
export interface RtviMessage {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const LABEL = 'rtvi-ai';
const FRAME = { audio: 2, message: 4 } as const;
const AUDIO = { name: 2, audio: 3, sampleRate: 4, channels: 5 } as const;
const MESSAGE = { data: 1 } as const;
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
/** A larger number has more bits than JavaScript's integers are safe for; none is needed. */
const MAX_VARINT_BYTES = 10;
/** Frames have six. */
const MAX_FIELDS = 32;

interface Field {
  readonly number: number;
  /** Of a varint. */
  readonly value: number;
  /** Of a field with a length. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The fields of a protobuf message; undefined where it is none. */
function readFields(bytes: Uint8Array): readonly Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number | undefined => {
    let value = 0;
    for (let read = 0; read < MAX_VARINT_BYTES; read++) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      value += (byte & 0x7f) * 2 ** (7 * read);
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    if (fields.length === MAX_FIELDS) return undefined;
    const tag = varint();
    if (tag === undefined) return undefined;
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number === 0) return undefined;
    const amount = wire === VARINT || wire === LENGTH ? varint() : wire === FIXED64 ? 8 : 4;
    if (amount === undefined || (wire > LENGTH && wire !== FIXED32)) return undefined;
    if (wire === VARINT) {
      fields.push({ number, value: amount, bytes: NOTHING });
      continue;
    }
    if (amount > bytes.length - at) return undefined;
    fields.push({ number, value: 0, bytes: bytes.subarray(at, at + amount) });
    at += amount;
  }
  return fields;
}

const lastOf = (fields: readonly Field[], number: number): Field | undefined =>
  fields.findLast((field) => field.number === number);

/** Reads one message of the socket; undefined for what is no frame. */
export function parseRtviFrame(bytes: Uint8Array): RtviFrame | undefined {
  const frame = readFields(bytes);
  const body = frame?.at(-1);
  if (!body) return undefined;
  if (body.number !== FRAME.audio && body.number !== FRAME.message) return { type: 'other' };
  const fields = readFields(body.bytes);
  if (!fields) return undefined;
  if (body.number === FRAME.message) {
    const json = Buffer.from(lastOf(fields, MESSAGE.data)?.bytes ?? NOTHING).toString();
    return { type: 'message', json };
  }
  return {
    type: 'audio',
    audio: lastOf(fields, AUDIO.audio)?.bytes ?? NOTHING,
    sampleRateHz: lastOf(fields, AUDIO.sampleRate)?.value ?? 0,
    channels: lastOf(fields, AUDIO.channels)?.value ?? 0,
  };
}

/** Parses the JSON of a message; undefined for what is none of the standard. */
export function parseRtviMessage(json: string): RtviMessage | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { label, id, type, data } = parsed as Readonly<Record<string, unknown>>;
  if (label !== LABEL || typeof id !== 'string' || typeof type !== 'string') return undefined;
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return { id, type, data: isObject ? (data as RtviMessage['data']) : {} };
}

export function serializeRtviMessage({ id, type, data }: RtviMessage): Uint8Array {
  const json = Buffer.from(JSON.stringify({ label: LABEL, id, type, data }));
  return withLength(FRAME.message, [withLength(MESSAGE.data, [json])]);
}

/** One channel of PCM16. */
export function serializeRtviAudio(audio: Uint8Array, sampleRateHz: number): Uint8Array {
  return withLength(FRAME.audio, [
    withLength(AUDIO.name, [NAME]),
    withLength(AUDIO.audio, [audio]),
    Uint8Array.from([...tagOf(AUDIO.sampleRate, VARINT), ...varintOf(sampleRateHz)]),
    Uint8Array.from([...tagOf(AUDIO.channels, VARINT), 1]),
  ]);
}

const NAME = Buffer.from('audio');

function withLength(number: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Uint8Array.from([...tagOf(number, LENGTH), ...varintOf(length)]);
  return Buffer.concat([head, ...parts], head.length + length);
}

const tagOf = (number: number, wire: number): readonly number[] => varintOf(number * 8 + wire);

function varintOf(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varintOf(Math.floor(value / 0x80))];
}
