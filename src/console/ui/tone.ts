/** Meaning of a colour; the text must carry it too. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad';
