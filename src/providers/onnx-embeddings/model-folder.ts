import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** A sentence model as its folder describes it, in the layout of the Hugging Face hub. */
export interface ModelFolder {
  readonly modelPath: string;
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly maxTokens: number;
  /** What is put before a text, for models that were trained so. */
  readonly prompts: { readonly question: string; readonly passage: string };
  /** How the vectors of a text's tokens become one. */
  readonly pooling: 'mean' | 'first';
}

/** The quantised ones first, which are several times as fast without a GPU. */
const MODEL_FILES = [
  'model_quantized.onnx',
  'onnx/model_quantized.onnx',
  'model_int8.onnx',
  'onnx/model_int8.onnx',
  'model.onnx',
  'onnx/model.onnx',
];
/** The positions of most models; longer passages are cut. */
const MAX_TOKENS = 512;

const PromptsSchema = z.object({ prompts: z.record(z.string(), z.string()).optional() });
const LengthSchema = z.object({ max_seq_length: z.number().int().positive().optional() });
const PoolingSchema = z.object({ pooling_mode_cls_token: z.boolean().optional() });
const NameSchema = z.object({ _name_or_path: z.string().optional() });

/** Reads what the folder holds. Rejects with a sentence for the operator if something is missing or malformed. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const modelPath = await firstFile(folder);
  const tokenizer = await readObject(folder, 'tokenizer.json', z.looseObject({}));
  if (!tokenizer) throw new Error(`${folder} has no tokenizer.json`);
  const config = await readObject(folder, 'config_sentence_transformers.json', PromptsSchema);
  const length = await readObject(folder, 'sentence_bert_config.json', LengthSchema);
  const pooling = await readObject(folder, '1_Pooling/config.json', PoolingSchema);
  const named = await readObject(folder, 'config.json', NameSchema);
  return {
    modelPath,
    tokenizer,
    tokenizerConfig: (await readObject(folder, 'tokenizer_config.json', z.looseObject({}))) ?? {},
    maxTokens: Math.min(MAX_TOKENS, length?.max_seq_length ?? MAX_TOKENS),
    prompts: promptsOf(config?.prompts, `${named?._name_or_path ?? ''} ${basename(folder)}`),
    pooling: pooling?.pooling_mode_cls_token ? 'first' : 'mean',
  };
}

function promptsOf(
  prompts: Readonly<Record<string, string>> | undefined,
  name: string,
): ModelFolder['prompts'] {
  // The E5 models want these, but do not all say so.
  const isE5 = /(?:^|[\s/_-])e5-/i.test(name);
  return {
    question: prompts?.query ?? (isE5 ? 'query: ' : ''),
    passage: prompts?.passage ?? prompts?.document ?? (isE5 ? 'passage: ' : ''),
  };
}

async function firstFile(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const path = join(folder, name);
    try {
      await access(path);
      return path;
    } catch {
      // The next name may be there.
    }
  }
  throw new Error(`${folder} has none of ${MODEL_FILES.join(', ')}`);
}

async function readObject<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const path = join(folder, name);
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be read: ${reason}`, { cause: error });
  }
}
