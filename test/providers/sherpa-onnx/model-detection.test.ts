import { describe, expect, test } from 'vitest';
import type { ModelFolder } from '../../../src/providers/sherpa-onnx/model-folder.ts';
import { readOnnxMetadata } from '../../../src/providers/sherpa-onnx/onnx-metadata.ts';
import { recogniserModelOf } from '../../../src/providers/sherpa-onnx/recogniser-model.ts';
import { voiceModelOf } from '../../../src/providers/sherpa-onnx/voice-model.ts';
import { onnxModel } from '../../support/onnx-model.ts';

/** By file; what a file of another row has is absent. */
type Metadata = Readonly<Record<string, object | undefined>>;

/** A folder as the model zoo lays it out: files, and the metadata of those that have some. */
function folder(files: readonly string[], metadata: Metadata = {}): ModelFolder {
  return { files, metadata: (file) => ({ ...metadata[file] }) };
}

describe('metadata', () => {
  const bytes = onnxModel({
    inputs: [],
    outputs: [],
    nodes: [{ op: 'Identity', inputs: ['a'], outputs: ['b'] }],
    constants: [{ name: 'w', type: 'float', shape: [50_000], values: Array(50_000).fill(1) }],
    metadata: { model_type: 'zipformer2', T: 45, comment: 'été' },
  });
  const at = (offset: number, length: number) => bytes.subarray(offset, offset + length);

  test('is read without reading the weights', () => {
    let read = 0;
    const counting = (offset: number, length: number) => {
      const part = at(offset, length);
      read += part.length;
      return part;
    };
    expect(readOnnxMetadata(counting, bytes.length)).toEqual({
      model_type: 'zipformer2',
      T: '45',
      comment: 'été',
    });
    expect(read).toBeLessThan(1000);
  });

  test.each([
    ['a text', new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\n')],
    ['a file cut short', bytes.subarray(0, 5000)],
    ['noise', Uint8Array.from({ length: 500 }, (_, i) => (i * 97 + 31) % 256)],
  ])('%s is no model', (_, content) => {
    const read = (offset: number, length: number) => content.subarray(offset, offset + length);
    expect(() => readOnnxMetadata(read, content.length)).toThrow(RangeError);
  });
});

describe('a recogniser', () => {
  test.each([
    {
      what: 'a streaming Zipformer, the smaller of two precisions',
      files: [
        'encoder-epoch-99-avg-1.onnx',
        'encoder-epoch-99-avg-1.int8.onnx',
        'decoder-epoch-99-avg-1.onnx',
        'joiner-epoch-99-avg-1.int8.onnx',
        'tokens.txt',
      ],
      metadata: { 'encoder-epoch-99-avg-1.int8.onnx': { model_type: 'zipformer2', T: '45' } },
      found: {
        streaming: true,
        family: 'transducer',
        paths: { encoder: 'encoder-epoch-99-avg-1.int8.onnx' },
      },
    },
    {
      what: 'a Zipformer for whole utterances, with hints to boost',
      files: ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt', 'bpe.vocab'],
      metadata: { 'encoder.onnx': { model_type: 'zipformer2' } },
      found: { streaming: false, modelType: 'transducer', bpeVocab: 'bpe.vocab' },
    },
    {
      what: "NeMo's Parakeet",
      files: ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'],
      metadata: { 'encoder.int8.onnx': { model_type: 'EncDecRNNTBPEModel', normalize_type: 'x' } },
      found: { streaming: false, family: 'transducer', modelType: 'nemo_transducer' },
    },
    {
      what: 'a streaming NeMo transducer',
      files: ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'],
      metadata: { 'encoder.onnx': { cache_last_channel_dim1: '17', normalize_type: 'NA' } },
      found: { streaming: true, family: 'transducer' },
    },
    {
      what: 'Whisper',
      files: ['base.en-encoder.int8.onnx', 'base.en-decoder.int8.onnx', 'base.en-tokens.txt'],
      metadata: {},
      found: { streaming: false, family: 'whisper', tokens: 'base.en-tokens.txt' },
    },
    {
      what: 'Moonshine',
      files: [
        ...['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx'],
        ...['cached_decode.int8.onnx', 'tokens.txt'],
      ],
      metadata: {},
      found: {
        family: 'moonshine',
        paths: {
          preprocessor: 'preprocess.onnx',
          encoder: 'encode.int8.onnx',
          uncachedDecoder: 'uncached_decode.int8.onnx',
          cachedDecoder: 'cached_decode.int8.onnx',
        },
      },
    },
    {
      what: 'SenseVoice',
      files: ['model.int8.onnx', 'tokens.txt'],
      metadata: { 'model.int8.onnx': { model_type: 'sense_voice_ctc' } },
      found: { streaming: false, family: 'senseVoice' },
    },
    {
      what: 'a streaming Zipformer with CTC',
      files: ['ctc-epoch-30-avg-3-chunk-16-left-128.int8.onnx', 'tokens.txt'],
      metadata: {
        'ctc-epoch-30-avg-3-chunk-16-left-128.int8.onnx': { decode_chunk_len: '32', T: '45' },
      },
      found: { streaming: true, family: 'zipformer2Ctc' },
    },
  ])('$what', ({ files, metadata, found }) => {
    expect(recogniserModelOf(folder(files, metadata))).toMatchObject(found);
  });

  test.each([
    ['an empty folder', [], /looked for a transducer/],
    ['a voice', ['en_US-amy.onnx', 'tokens.txt'], /looked for a transducer/],
    ['weights without words', ['encoder.onnx', 'decoder.onnx', 'joiner.onnx'], /tokens\.txt/],
    ['a kind nobody knows', ['model.onnx', 'tokens.txt'], /of type ""/],
  ])('%s is refused, and says what was looked for', (_, files, message) => {
    expect(() => recogniserModelOf(folder(files))).toThrow(message);
  });
});

describe('a voice', () => {
  test.each([
    {
      what: 'Piper',
      files: ['en_US-amy-low.onnx', 'tokens.txt', 'espeak-ng-data/phontab'],
      metadata: {},
      found: {
        family: 'vits',
        paths: {
          model: 'en_US-amy-low.onnx',
          tokens: 'tokens.txt',
          dataDir: 'espeak-ng-data',
        },
      },
    },
    {
      what: 'Kokoro',
      files: ['model.onnx', 'voices.bin', 'tokens.txt', 'espeak-ng-data/en_dict'],
      metadata: { 'model.onnx': { model_type: 'kokoro' } },
      found: { family: 'kokoro', paths: { voices: 'voices.bin', model: 'model.onnx' } },
    },
    {
      what: 'Kitten',
      files: ['model.fp16.onnx', 'voices.bin', 'tokens.txt', 'espeak-ng-data/en_dict'],
      metadata: { 'model.fp16.onnx': { model_type: 'kitten-tts' } },
      found: { family: 'kitten' },
    },
    {
      what: 'Matcha with its vocoder',
      files: ['model-steps-3.onnx', 'vocos-22khz-univ.onnx', 'tokens.txt', 'lexicon.txt'],
      metadata: {},
      found: {
        family: 'matcha',
        paths: {
          acousticModel: 'model-steps-3.onnx',
          vocoder: 'vocos-22khz-univ.onnx',
          tokens: 'tokens.txt',
          lexicon: 'lexicon.txt',
        },
      },
    },
  ])('$what', ({ files, metadata, found }) => {
    expect(voiceModelOf(folder(files, metadata))).toMatchObject(found);
  });

  test('a folder without one is refused, and says what was looked for', () => {
    expect(() => voiceModelOf(folder(['model.onnx']))).toThrow(/Piper.*tokens\.txt/);
  });
});
