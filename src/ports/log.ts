type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured log: a static message and its fields; pino is one. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
