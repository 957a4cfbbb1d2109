import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Prices, PricesSchema } from '../contract/prices.ts';
import { ConfigError } from './config.ts';

/** Reads the operator's price file; throws ConfigError, which lists every problem of the file. */
export async function readPrices(file: string): Promise<Prices> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`PRICES_FILE: ${file} can't be read: ${(error as Error).message}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`PRICES_FILE: ${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = PricesSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`PRICES_FILE: ${file}:\n${z.prettifyError(parsed.error)}`);
}
