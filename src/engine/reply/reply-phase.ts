import type { Reply, Utterance } from '../state/reply.ts';

/** When the caller began to hear it. */
export const startedAt = ({ phase }: Reply) =>
  phase.name === 'waiting' ? undefined : phase.startedAt;

/** The caller has heard something of it. */
export const wasHeard = (reply: Reply) => startedAt(reply) !== undefined;

/** Between two steps of the model, and still wanted. */
export const isPaused = ({ text, phase }: Reply) => text.name === 'paused' && phase.name !== 'cut';

/** The generation that writes it, or has written the step whose tools have not answered yet. */
export const openGenId = ({ text }: Reply) => (text.name === 'complete' ? undefined : text.genId);

/** Playout has it, and it has not been heard to its end. */
export const isOut = ({ stage }: Utterance) => stage === 'sent' || stage === 'playing';

/** Nothing more of it will be heard. */
export const isOver = ({ stage }: Utterance) => stage === 'done' || stage === 'failed';
