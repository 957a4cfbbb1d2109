import { type ModelFolder, pickFile, UnknownModelError } from './model-folder.ts';

/** The kind of voice in a folder; paths are relative to the folder. */
export interface VoiceModel {
  /** The field of sherpa-onnx's model configuration that holds the paths. */
  readonly family: 'vits' | 'kokoro' | 'kitten' | 'matcha';
  readonly paths: Readonly<Record<string, string>>;
}

const LOOKED_FOR = 'a VITS (Piper), Kokoro, Kitten or Matcha model of sherpa-onnx, with tokens.txt';

/** Detects, by file names and metadata, which sherpa-onnx voice a folder holds. */
export function voiceModelOf(folder: ModelFolder): VoiceModel {
  const tokens = pickFile(folder, /tokens\.txt$/);
  const acoustic = pickFile(folder, /^model-steps.*\.onnx$/);
  const vocoder = pickFile(folder, /(?:vocos|hifigan|vocoder).*\.onnx$/);
  const voices = pickFile(folder, /^voices.*\.bin$/);
  const models: ModelFolder = {
    ...folder,
    files: folder.files.filter((file) => file !== vocoder && file.endsWith('.onnx')),
  };
  const model = pickFile(models, /\.onnx$/);
  if (!tokens || !model) throw new UnknownModelError(`there is no voice: looked for ${LOOKED_FOR}`);
  const shared = { tokens, ...pronunciation(folder) };
  if (acoustic && vocoder)
    return { family: 'matcha', paths: { acousticModel: acoustic, vocoder, ...shared } };
  if (!voices) return { family: 'vits', paths: { model, ...shared } };
  const type = folder.metadata(model).model_type ?? '';
  const family = type.startsWith('kitten') ? 'kitten' : 'kokoro';
  return { family, paths: { model, voices, ...shared } };
}

/** The source of a voice's pronunciations: a lexicon, or espeak's data in the model's own folder. */
function pronunciation(folder: ModelFolder): Record<string, string> {
  const lexicon = pickFile(folder, /^lexicon.*\.txt$/);
  const espeak = folder.files.find((file) => /(?:^|\/)espeak-ng-data\//.test(file));
  const dataDir = espeak?.slice(0, espeak.indexOf('espeak-ng-data') + 'espeak-ng-data'.length);
  return { ...(lexicon ? { lexicon } : {}), ...(dataDir ? { dataDir } : {}) };
}
