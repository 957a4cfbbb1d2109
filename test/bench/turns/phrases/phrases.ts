/** What callers and assistants say in one language. Written for the corpus alone: no policy reads it. */
export interface Phrases {
  readonly language: string;
  readonly welcome: string;
  /** What callers say first who only want to know whether somebody is there. */
  readonly greeting: string;
  /** Turns of one to some twenty words, with the marks they would be written with. */
  readonly turns: readonly string[];
  /** A question and what people answer, in a few words. */
  readonly exchanges: readonly { readonly question: string; readonly answers: readonly string[] }[];
  readonly hesitations: readonly string[];
  /** A beginning, and what it is taken back to: "on Tuesday, no sorry, on Thursday". */
  readonly corrections: readonly string[];
  readonly replies: readonly string[];
  /** Some thirty to fifty words, several sentences. */
  readonly longReplies: readonly (readonly string[])[];
  readonly stops: readonly string[];
  readonly interruptions: readonly string[];
  readonly backchannels: readonly string[];
  readonly sideTalk: readonly string[];
  readonly television: readonly string[];
  readonly asks: {
    readonly phone: string;
    readonly card: string;
    readonly code: string;
    readonly email: string;
    readonly date: string;
    readonly spelling: string;
    /** Nothing is asked for, and a number comes nevertheless. */
    readonly open: string;
  };
  readonly digits: readonly string[];
  readonly at: string;
  readonly dot: string;
  readonly months: readonly string[];
  /** Before a value: "it's", "sure, my number is". */
  readonly leads: readonly string[];
  /** What comes before a number that nobody asked for. */
  readonly offer: string;
  readonly names: readonly string[];
}
