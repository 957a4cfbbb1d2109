import { VersionConflictError } from '../store/errors.ts';

const MAX_TRIES = 8;

/** Reads, changes and writes again while somebody else was faster: what they changed is not lost. */
export async function retryRaces<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof VersionConflictError) || attempt === MAX_TRIES) throw error;
    }
  }
}
