import { VersionConflictError } from '../store/errors.ts';

const MAX_TRIES = 8;

/** Repeats a read and write that failed because of a concurrent change. */
export async function retryRaces<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof VersionConflictError) || attempt === MAX_TRIES) throw error;
    }
  }
}
