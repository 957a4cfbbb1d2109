import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onnxModel } from './onnx-model.ts';

const SIZE = 384;
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Words that mean the same have the same vector. */
export type Meanings = readonly (readonly string[])[];

/**
 * Writes a sentence model of the shape of paraphrase-multilingual-MiniLM-L12-v2: ids, mask and types of tokens in, 384
 * numbers a token out. It knows these words alone and gives every text the same large share, as E5 models do.
 */
export async function writeSentenceModel(folder: string, meanings: Meanings): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const vocab = [...SPECIAL, ...meanings.flat(), 'query', 'passage', ':'];
  const rows = vocab.map((word) => {
    const meaning = meanings.findIndex((words) => words.includes(word));
    return Array.from({ length: SIZE }, (_, i) => (i === 0 ? 3 : i === meaning + 1 ? 4 : 0));
  });
  const model = onnxModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: 'int64' as const,
      shape: ['batch', 'tokens'],
    })),
    outputs: [{ name: 'last_hidden_state', type: 'float', shape: ['batch', 'tokens', SIZE] }],
    nodes: [{ op: 'Gather', inputs: ['words', 'input_ids'], outputs: ['last_hidden_state'] }],
    constants: [{ name: 'words', type: 'float', shape: [vocab.length, SIZE], values: rows.flat() }],
    metadata: {},
  });
  await writeFile(join(folder, 'onnx/model.onnx'), model);
  const ids = Object.fromEntries(vocab.map((word, id) => [word, id]));
  const special = (name: string) => ({ SpecialToken: { id: name, type_id: 0 } });
  const tokenizer = {
    version: '1.0',
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', lowercase: true, strip_accents: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((token) => [
          token,
          { id: token, ids: [ids[token]], tokens: [token] },
        ]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: ids,
    },
  };
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  await writeFile(join(folder, 'tokenizer_config.json'), '{"tokenizer_class":"BertTokenizer"}');
  await writeFile(join(folder, 'sentence_bert_config.json'), '{"max_seq_length":16}');
}
