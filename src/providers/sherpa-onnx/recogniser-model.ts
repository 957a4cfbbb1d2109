import { type ModelFolder, pickFile, UnknownModelError } from './model-folder.ts';

type Paths = Readonly<Record<string, string>>;

/** The kind of recogniser in a folder; paths are relative to the folder. */
export interface RecogniserModel {
  /** True if it produces text during speech; other models need whole utterances. */
  readonly streaming: boolean;
  /** The field of sherpa-onnx's model configuration that holds the paths. */
  readonly family: string;
  readonly paths: Paths;
  readonly tokens: string;
  readonly modelType?: string;
  /** Vocabulary file that makes hint boosting possible. */
  readonly bpeVocab?: string;
}

const LOOKED_FOR =
  'a transducer (encoder, decoder, joiner), a Whisper (encoder, decoder), a Moonshine or a single-file CTC model of sherpa-onnx, with tokens.txt';

/** Detects, by file names and metadata, which model of sherpa-onnx's zoo a folder holds. */
export function recogniserModelOf(folder: ModelFolder): RecogniserModel {
  const tokens = pickFile(folder, /tokens\.txt$/);
  const found = tokens && (moonshine(folder) ?? encoderDecoder(folder) ?? singleFile(folder));
  if (!tokens || !found)
    throw new UnknownModelError(`there is no recogniser: looked for ${LOOKED_FOR}`);
  return { ...found, tokens };
}

type Found = Omit<RecogniserModel, 'tokens'>;

function moonshine(folder: ModelFolder): Found | undefined {
  const preprocessor = pickFile(folder, /^preprocess.*\.onnx$/);
  const encoder = pickFile(folder, /^encode.*\.onnx$/);
  const uncachedDecoder = pickFile(folder, /^uncached_decode.*\.onnx$/);
  const cachedDecoder = pickFile(folder, /^cached_decode.*\.onnx$/);
  if (!preprocessor || !encoder || !uncachedDecoder || !cachedDecoder) return undefined;
  const paths = { preprocessor, encoder, uncachedDecoder, cachedDecoder };
  return { streaming: false, family: 'moonshine', paths };
}

function encoderDecoder(folder: ModelFolder): Found | undefined {
  const encoder = pickFile(folder, /encoder.*\.onnx$/);
  const decoder = pickFile(folder, /decoder.*\.onnx$/);
  const joiner = pickFile(folder, /joiner.*\.onnx$/);
  if (!encoder || !decoder) return undefined;
  if (!joiner) return { streaming: false, family: 'whisper', paths: { encoder, decoder } };
  const paths = { encoder, decoder, joiner };
  const metadata = folder.metadata(encoder);
  const bpeVocab = pickFile(folder, /^bpe\.vocab$/);
  const boosting = bpeVocab ? { bpeVocab } : {};
  if (isStreaming({ ...metadata, ...folder.metadata(decoder) }))
    return { streaming: true, family: 'transducer', paths };
  const nemo = /^EncDec/.test(metadata.model_type ?? '') || 'normalize_type' in metadata;
  return {
    streaming: false,
    family: 'transducer',
    paths,
    modelType: nemo ? 'nemo_transducer' : 'transducer',
    ...(nemo ? {} : boosting),
  };
}

const SINGLE_FILE: readonly (readonly [RegExp, string])[] = [
  [/^EncDec/, 'nemoCtc'],
  [/^sense_voice/, 'senseVoice'],
  [/^zipformer2?_ctc/, 'zipformerCtc'],
  [/^paraformer/, 'paraformer'],
  [/^wenet_ctc/, 'wenetCtc'],
];

function singleFile(folder: ModelFolder): Found | undefined {
  const model = pickFile(folder, /(?:model|ctc).*\.onnx$/);
  if (!model) return undefined;
  const metadata = folder.metadata(model);
  const type = metadata.model_type ?? '';
  if ('cache_last_channel_dim1' in metadata)
    return { streaming: true, family: 'nemoCtc', paths: { model } };
  if (isStreaming(metadata)) return { streaming: true, family: 'zipformer2Ctc', paths: { model } };
  const family = SINGLE_FILE.find(([pattern]) => pattern.test(type))?.[1];
  if (!family)
    throw new UnknownModelError(`${model} is of type "${type}", which is none that is known`);
  return { streaming: false, family, paths: { model } };
}

/** Only models that carry state from chunk to chunk declare a chunk length. */
function isStreaming(metadata: Readonly<Record<string, string>>): boolean {
  return ['decode_chunk_len', 'T', 'cache_last_channel_dim1', 'streaming_model_type'].some(
    (key) => key in metadata,
  );
}
