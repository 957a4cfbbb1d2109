import type { Reply, Utterance } from '../state/reply.ts';

/** When the caller began to hear the reply. */
export const startedAt = ({ phase }: Reply) =>
  phase.name === 'waiting' ? undefined : phase.startedAt;

/** The caller has heard some of the reply. */
export const wasHeard = (reply: Reply) => startedAt(reply) !== undefined;

/** The reply waits for tools and was not cancelled. */
export const isPaused = ({ text, phase }: Reply) => text.name === 'paused' && phase.name !== 'cut';

/** The generation that writes the reply, or whose tools have not answered yet. */
export const openGenId = ({ text }: Reply) => (text.name === 'complete' ? undefined : text.genId);

/** The utterance was sent to playout and has not finished. */
export const isInPlayout = ({ stage }: Utterance) => stage === 'sent' || stage === 'playing';

/** Nothing more of the utterance will be played. */
export const isOver = ({ stage }: Utterance) => stage === 'done' || stage === 'failed';
