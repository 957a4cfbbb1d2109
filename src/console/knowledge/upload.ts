/** A file on its way into a knowledge base. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  /** `reading`: it has arrived, and the service looks whether it can be used. */
  readonly state: 'waiting' | 'sending' | 'reading' | 'attaching' | 'failed';
  /** Of its bytes, 0–1. */
  readonly share: number;
  /** Why it failed, for people. */
  readonly fault?: string;
  /** Trying again may help. */
  readonly canRetry?: boolean;
}

/** Whether it is still under way. */
export function isUploading({ state }: Upload): boolean {
  return state !== 'failed';
}

/** All of them in a sentence, for the ear; it changes only when one comes or goes. */
export function uploadsText(uploads: readonly Upload[]): string {
  const underway = uploads.filter(isUploading).length;
  const failed = uploads.length - underway;
  const parts = [
    underway > 0 && `${underway} on the way`,
    failed > 0 && `${failed} could not be added`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Files: ${parts.join(', ')}.`;
}
