/** What a colour means; the words must say it too. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad';
