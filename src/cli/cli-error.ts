/** An error that the user can fix; shown as one line. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  /** `exitCode`: 1 for a failure, 2 for wrong usage. */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
