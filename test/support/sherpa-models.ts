import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelSpec, onnxModel, type TensorSpec } from './onnx-model.ts';

/** Words of the language that the test's recognisers understand: each is a pure tone. */
export const TONES = { low: 500, mid: 1250, high: 3000 } as const;
export type ToneWord = keyof typeof TONES;

const WORDS = Object.keys(TONES) as ToneWord[];
const MELS = 80;
/** Louder than the leakage into other bands, softer than a tone. */
const BLANK_SCORE = -4;

/** Librosa's (Slaney's) mel scale, by which NeMo's features are laid out. */
function melOf(hz: number): number {
  const linear = hz / (200 / 3);
  return hz < 1000 ? linear : 15 + Math.log(hz / 1000) / (Math.log(6.4) / 27);
}

function bandOf(hz: number): number {
  return Math.round((melOf(hz) / melOf(8000)) * (MELS + 1)) - 1;
}

/** Token 0 is the blank; each other one scores with the energy in its tone's band. */
function toneDetector(): Pick<ModelSpec, 'nodes' | 'constants'> {
  const tokens = WORDS.length + 1;
  const weights = new Array<number>(MELS * tokens).fill(0);
  for (const [i, word] of WORDS.entries()) weights[bandOf(TONES[word]) * tokens + i + 1] = 1;
  const bias = [BLANK_SCORE, ...WORDS.map(() => 0)];
  return {
    nodes: [
      {
        op: 'Transpose',
        inputs: ['audio_signal'],
        outputs: ['frames'],
        attributes: { perm: [0, 2, 1] },
      },
      { op: 'MatMul', inputs: ['frames', 'weights'], outputs: ['scores'] },
      { op: 'Add', inputs: ['scores', 'bias'], outputs: ['logprobs'] },
    ],
    constants: [
      { name: 'weights', type: 'float', shape: [MELS, tokens], values: weights },
      { name: 'bias', type: 'float', shape: [tokens], values: bias },
    ],
  };
}

const AUDIO: TensorSpec = { name: 'audio_signal', type: 'float', shape: ['B', MELS, 'T'] };
const LENGTH: TensorSpec = { name: 'length', type: 'int64', shape: ['B'] };
const SCORES: TensorSpec = { name: 'logprobs', type: 'float', shape: ['B', 'T', WORDS.length + 1] };
const TOKENS = `<blk> 0\n${WORDS.map((word, i) => `▁${word} ${i + 1}`).join('\n')}\n`;

/** A whole-utterance CTC model of NeMo's kind. */
export async function writeWholeModel(dir: string): Promise<void> {
  const model = onnxModel({
    ...toneDetector(),
    inputs: [AUDIO, LENGTH],
    outputs: [SCORES],
    metadata: {
      model_type: 'EncDecCTCModelBPE',
      vocab_size: WORDS.length + 1,
      subsampling_factor: 1,
      normalize_type: '',
    },
  });
  await writeModel(dir, 'model.int8.onnx', model);
}

/** A streaming CTC model of NeMo's kind; its state is carried and not used. */
export async function writeStreamingModel(dir: string): Promise<void> {
  const detector = toneDetector();
  const state = (name: string): TensorSpec => ({ name, type: 'float', shape: ['B', 1, 1, 1] });
  const count = (name: string): TensorSpec => ({ name, type: 'int64', shape: ['B'] });
  const kept = [
    state('cache_last_channel'),
    state('cache_last_time'),
    count('cache_last_channel_len'),
  ];
  const model = onnxModel({
    constants: detector.constants,
    nodes: [
      ...detector.nodes,
      { op: 'Identity', inputs: ['length'], outputs: ['encoded_lengths'] },
      ...kept.map(({ name }) => ({ op: 'Identity', inputs: [name], outputs: [`${name}_next`] })),
    ],
    inputs: [AUDIO, LENGTH, ...kept],
    outputs: [
      SCORES,
      count('encoded_lengths'),
      ...kept.map((tensor) => ({ ...tensor, name: `${tensor.name}_next` })),
    ],
    metadata: {
      model_type: 'EncDecCTCModelBPE',
      vocab_size: WORDS.length,
      subsampling_factor: 1,
      window_size: 20,
      chunk_shift: 20,
      ...Object.fromEntries(
        ['channel', 'time'].flatMap((what) =>
          [1, 2, 3].map((dim) => [`cache_last_${what}_dim${dim}`, 1]),
        ),
      ),
    },
  });
  await writeModel(dir, 'model.onnx', model);
}

export const VOICE_RATE_HZ = 22_050;
/** Of one character. */
export const VOICE_CHARACTER_SAMPLES = 2205;

/** A voice that gives every character a tenth of a second of one level: its place in the alphabet / 64. */
export async function writeVoiceModel(dir: string): Promise<void> {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  const scalar = (name: string): TensorSpec => ({ name, type: 'float', shape: [1] });
  const model = onnxModel({
    inputs: [
      { name: 'x', type: 'int64', shape: ['N', 'L'] },
      { name: 'x_length', type: 'int64', shape: ['N'] },
      ...['noise_scale', 'length_scale', 'noise_scale_w'].map(scalar),
    ],
    outputs: [{ name: 'y', type: 'float', shape: ['N', 1, 'S'] }],
    nodes: [
      { op: 'Cast', inputs: ['x'], outputs: ['ids'], attributes: { to: 1 } },
      { op: 'Unsqueeze', inputs: ['ids', 'last'], outputs: ['columns'] },
      { op: 'Mul', inputs: ['columns', 'level'], outputs: ['levels'] },
      { op: 'Reshape', inputs: ['levels', 'flat'], outputs: ['y'] },
    ],
    constants: [
      { name: 'last', type: 'int64', shape: [1], values: [2] },
      { name: 'flat', type: 'int64', shape: [3], values: [1, 1, -1] },
      {
        name: 'level',
        type: 'float',
        shape: [1, 1, VOICE_CHARACTER_SAMPLES],
        values: new Array<number>(VOICE_CHARACTER_SAMPLES).fill(1 / 64),
      },
    ],
    metadata: {
      model_type: 'vits',
      comment: 'test',
      language: 'English',
      frontend: 'characters',
      sample_rate: VOICE_RATE_HZ,
      n_speakers: 1,
      add_blank: 0,
      use_eos_bos: 0,
    },
  });
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'model.onnx'), model);
  const tokens = ['<PAD>', ...alphabet, '.'].map((token, i) => `${token} ${i}`);
  await writeFile(join(dir, 'tokens.txt'), `${tokens.join('\n')}\n`);
}

async function writeModel(dir: string, file: string, model: Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, file), model);
  await writeFile(join(dir, 'tokens.txt'), TOKENS);
}
