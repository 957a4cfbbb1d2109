import type { AssistantConfig } from '../../contract/assistant.ts';
import type { Comparison, CutInReaction, ToolChange } from '../../contract/what-if.ts';
import { ReplayError, readJournalHead } from '../../engine/machine/replay.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { CommandOf, ModelPart } from '../../simulation/parts.ts';
import { changedSettings } from '../../simulation/what-if/changed-settings.ts';
import { compareCalls } from '../../simulation/what-if/compare.ts';
import { readAnswers } from '../../simulation/what-if/recorded-answers.ts';
import type { AskModel } from '../../simulation/what-if/recorded-world.ts';
import { type ChangedCall, replayChanged } from '../../simulation/what-if/replay-changed.ts';

/** A recorded call and what is otherwise. */
export interface ReplayTask {
  readonly lines: readonly JournalLine[];
  /** As the call had it, and as it is to be; absent: no change. */
  readonly assistant?: { readonly before: AssistantConfig; readonly after: AssistantConfig };
  /** Of the call's texts. */
  readonly variables: Readonly<Record<string, string>>;
  readonly tools: Readonly<Record<string, ToolChange>>;
  readonly caller: CutInReaction;
  /** What a model has answered to requests that the record does not have, by digest; absent: no model is asked. */
  readonly known?: Readonly<Record<string, readonly ModelPart[]>>;
  /** The model is asked nothing more: for what is not known something stands in. @defaultValue false */
  readonly isSpent?: boolean;
}

/** Requests that the record does not have, and their length: what asking the model would come to. */
export interface Unasked {
  readonly requests: number;
  readonly characters: number;
}

/** A request to the model that nobody has answered yet. */
export type ModelQuestion = Pick<CommandOf<'llm.start'>, 'messages' | 'tools' | 'toolChoice'> & {
  readonly digest: string;
};

export type ReplayAnswer =
  /** The replay has to begin anew once a model has answered. */
  | { readonly kind: 'asks'; readonly question: ModelQuestion }
  | { readonly kind: 'compared'; readonly comparison: Comparison; readonly unasked: Unasked }
  /** The call can't be replayed, and why. */
  | { readonly kind: 'refused'; readonly reason: string };

export async function replayTask(task: ReplayTask): Promise<ReplayAnswer> {
  const { lines, assistant, variables, tools, caller, known, isSpent = false } = task;
  try {
    const { settings: recorded } = readJournalHead(lines);
    const changed = assistant && changedSettings({ settings: recorded, ...assistant, variables });
    const replayed = await replayChanged(lines, {
      ...(changed ? { settings: changed.settings } : {}),
      tools,
      caller,
      ...(known ? { askModel: answering(known, isSpent) } : {}),
    });
    const comparison = compareCalls(lines, replayed);
    return {
      kind: 'compared',
      comparison: { ...comparison, notReplayed: [...(changed?.withoutEffect ?? [])] },
      unasked: unaskedIn(replayed),
    };
  } catch (error) {
    if (error instanceof Unanswered) return { kind: 'asks', question: error.question };
    if (error instanceof ReplayError) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

class Unanswered extends Error {
  readonly question: ModelQuestion;

  constructor(question: ModelQuestion) {
    super('the model has not been asked this yet');
    this.question = question;
  }
}

function unaskedIn({ journal, sources }: ChangedCall): Unasked {
  const lengths = [...readAnswers(journal).generations.values()]
    .filter(({ genId }) => sources.get(genId) === 'stand-in')
    .map(({ messages }) => messages.reduce((sum, { content }) => sum + content.length, 0));
  return {
    requests: lengths.length,
    characters: lengths.reduce((sum, length) => sum + length, 0),
  };
}

const answering =
  (known: NonNullable<ReplayTask['known']>, isSpent: boolean): AskModel =>
  ({ messages, tools, toolChoice }, digest) => {
    const parts = known[digest];
    if (parts) return Promise.resolve(parts);
    if (isSpent) return undefined;
    throw new Unanswered({ messages, tools, toolChoice, digest });
  };
