import { answerTasks } from '../../lib/compute-thread.ts';
import { SentenceModel, type TextKind } from './sentence-model.ts';

/** Texts to be embedded; none only loads the model. */
export interface EmbedTask {
  readonly folder: string;
  readonly texts: readonly string[];
  readonly kind: TextKind;
}

let model: Promise<SentenceModel> | undefined;

answerTasks<EmbedTask, readonly Float32Array[]>(async ({ folder, texts, kind }) => {
  model ??= SentenceModel.load(folder);
  // Loaded anew by the next task if it failed: the operator may have put the files there meanwhile.
  model.catch(() => {
    model = undefined;
  });
  const loaded = await model;
  return texts.length === 0 ? [] : loaded.embed(texts, kind);
});
