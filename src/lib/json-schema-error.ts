export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema is invalid or cannot be used. The message tells its author why. */
export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError';
  /** Name of the faulty property, if the problem is in one property. */
  readonly property: string | undefined;

  constructor(message: string, { property, cause }: JsonSchemaErrorOptions = {}) {
    super(message, { cause });
    this.property = property;
  }
}

interface JsonSchemaErrorOptions {
  readonly property?: string | undefined;
  readonly cause?: unknown;
}
