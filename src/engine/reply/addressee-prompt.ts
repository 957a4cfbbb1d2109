/** What a model answers to words that were not meant for it, as `normalise` gives it. */
export const SILENCE = 'silence';

/** B17: the model's leave to say nothing. It is the last message of a request, so that what comes before stays cached. */
export const ADDRESSEE_PROMPT = `These last words were said while you were speaking. They may not be meant for you: the \
caller may be talking to somebody in the room, or somebody else there may be talking. If they are clearly not meant for \
you, answer with the single word "${SILENCE}" and nothing else. If in doubt, answer them as usual.`;
