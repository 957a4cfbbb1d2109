import { Tokenizer } from '@huggingface/tokenizers';
import { type OnnxRuntime, type OnnxSession, wasmRuntime } from '../../lib/onnx-session.ts';
import { type ModelFolder, readModelFolder } from './model-folder.ts';
import { UNRELATED_TEXTS } from './unrelated-texts.ts';

export type TextKind = 'question' | 'passage';

/** A sentence model on the current thread, which it blocks while it computes. */
export class SentenceModel {
  readonly #folder: ModelFolder;
  readonly #session: OnnxSession;
  readonly #Tensor: OnnxRuntime['Tensor'];
  readonly #tokenizer: Tokenizer;
  #mean: Float32Array | undefined;

  private constructor(folder: ModelFolder, session: OnnxSession, { Tensor }: OnnxRuntime) {
    this.#folder = folder;
    this.#session = session;
    this.#Tensor = Tensor;
    this.#tokenizer = new Tokenizer(folder.tokenizer, folder.tokenizerConfig);
  }

  /** Rejects with a sentence for the operator if the folder holds no sentence model. */
  static async load(path: string): Promise<SentenceModel> {
    const folder = await readModelFolder(path);
    // The threads of a pool are the parallelism; more of them would take cores from the sound.
    const runtime = await wasmRuntime(1);
    const session = await runtime.InferenceSession.create(folder.modelPath, runtime.options);
    const model = new SentenceModel(folder, session, runtime);
    const { inputNames, outputNames } = model.#session;
    if (!inputNames.includes('input_ids') || outputNames.length === 0)
      throw new Error(`${folder.modelPath} takes no input_ids: it is no sentence model`);
    const vectors = await model.#pooled(UNRELATED_TEXTS);
    model.#mean = meanOf(vectors);
    return model;
  }

  /**
   * One unit vector a text. What the model gives to any text is taken off (Mu and Viswanath, "All-but-the-Top", 2018):
   * the cosine of unrelated texts is near 0 then, where some models have 0.8.
   */
  async embed(texts: readonly string[], kind: TextKind): Promise<Float32Array[]> {
    const prompt = this.#folder.prompts[kind];
    const vectors = await this.#pooled(texts.map((text) => prompt + text));
    return vectors.map((vector) => {
      const mean = this.#mean as Float32Array;
      return unit(vector.map((value, i) => value - (mean[i] as number)));
    });
  }

  async #pooled(texts: readonly string[]): Promise<Float32Array[]> {
    const { maxTokens, pooling } = this.#folder;
    const encoded = texts.map((text) => cut(this.#tokenizer.encode(text).ids, maxTokens));
    const length = Math.max(1, ...encoded.map((ids) => ids.length));
    const shape = [texts.length, length];
    const ids = new BigInt64Array(texts.length * length);
    const mask = new BigInt64Array(texts.length * length);
    for (const [row, tokens] of encoded.entries())
      for (const [at, id] of tokens.entries()) {
        ids[row * length + at] = BigInt(id);
        mask[row * length + at] = 1n;
      }
    const Tensor = this.#Tensor;
    const inputs = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    };
    const names = this.#session.inputNames;
    const wanted = Object.fromEntries(
      Object.entries(inputs).filter(([name]) => names.includes(name)),
    );
    const found = await this.#session.run(wanted);
    const output = found.last_hidden_state ?? found[this.#session.outputNames[0] as string];
    if (output?.dims.length !== 3 || !(output.data instanceof Float32Array))
      throw new Error('the model gives no vectors of tokens');
    const { data } = output;
    const size = output.dims[2] as number;
    return encoded.map((tokens, row) => {
      const last = pooling === 'first' ? 1 : tokens.length;
      const vector = new Float32Array(size);
      for (let at = 0; at < last; at++)
        for (let i = 0; i < size; i++)
          vector[i] = (vector[i] as number) + (data[(row * length + at) * size + i] as number);
      return unit(vector);
    });
  }
}

/** The last token, which ends the text for the model, is kept. */
function cut(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) as number];
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let i = 0; i < mean.length; i++)
      mean[i] = (mean[i] as number) + (vector[i] as number) / vectors.length;
  return mean;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
