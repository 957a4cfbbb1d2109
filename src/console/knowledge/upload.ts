/** An upload to a knowledge base. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  /** `reading`: all bytes are sent, and the service checks the file. */
  readonly state: 'waiting' | 'sending' | 'reading' | 'attaching' | 'failed';
  /** Share of the bytes sent, 0 to 1. */
  readonly share: number;
  /** Error message for the user. */
  readonly fault?: string;
  /** A retry may succeed. */
  readonly canRetry?: boolean;
}

/** True if the upload is not finished and has not failed. */
export function isUploading({ state }: Upload): boolean {
  return state !== 'failed';
}

/** All uploads in a sentence for screen readers; it changes only when an upload starts or ends. */
export function uploadsText(uploads: readonly Upload[]): string {
  const underway = uploads.filter(isUploading).length;
  const failed = uploads.length - underway;
  const parts = [
    underway > 0 && `${underway} uploading`,
    failed > 0 && `${failed} could not be added`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Files: ${parts.join(', ')}.`;
}
