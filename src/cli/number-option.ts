import { CliError } from './cli-error.ts';

/** The number that an option was given. Throws {@link CliError} with exit code 2. */
export function numberOption(name: string, given: string, max: number, min = 0): number {
  const value = Number(given);
  if (given.trim() === '' || !(value >= min && value <= max))
    throw new CliError(`${name} ${given}: must be a number from ${min} to ${max}`, 2);
  return value;
}

/** What models may cost and read. Throws {@link CliError} with exit code 2. */
export function budgetOption({
  budget,
  'max-tokens': tokens,
}: {
  readonly budget?: string | undefined;
  readonly 'max-tokens'?: string | undefined;
}): { readonly cost?: number; readonly tokens?: number } {
  return {
    ...(budget === undefined ? {} : { cost: numberOption('--budget', budget, 1e6) }),
    ...(tokens === undefined ? {} : { tokens: numberOption('--max-tokens', tokens, 1e9) }),
  };
}
