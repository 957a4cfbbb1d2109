const KB = 1024;
const MB = KB * 1024;
/** The service's limit; the service checks the content as well. */
export const MAX_UPLOAD_BYTES = 50 * MB;
const MAX_NAME_CHARS = 255;

/** Accepted file extensions. */
export const FILE_ENDINGS = [
  'pdf',
  'docx',
  'txt',
  'text',
  'md',
  'markdown',
  'html',
  'htm',
  'csv',
  'tsv',
  'tab',
  'json',
  'yaml',
  'yml',
  'xml',
  'log',
] as const;

const SHOWN_ENDINGS = 'PDF, DOCX, TXT, MD, HTML, CSV, TSV, JSON, YAML, XML, LOG';

/** Accepted files, in words for users. */
export const TAKEN = `${SHOWN_ENDINGS}, up to ${MAX_UPLOAD_BYTES / MB} MB each.`;

/** Why the service would refuse a file, known before it is sent; undefined if only its content can tell. */
export function faultOfFile({
  name,
  size,
}: {
  readonly name: string;
  readonly size: number;
}): string | undefined {
  const ending = /[^.]\.([a-z][a-z0-9]{0,9})$/i.exec(name)?.[1]?.toLowerCase();
  if (ending !== undefined && !FILE_ENDINGS.some((taken) => taken === ending))
    return `Files named .${ending} are not supported. Supported: ${SHOWN_ENDINGS}.`;
  if (name.length > MAX_NAME_CHARS) return `Its name is longer than ${MAX_NAME_CHARS} characters.`;
  if (size === 0) return 'The file is empty.';
  if (size > MAX_UPLOAD_BYTES)
    return `It is ${sizeText(size)} large; ${sizeText(MAX_UPLOAD_BYTES)} is the most.`;
  return undefined;
}

/** Formats a size: `1.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  const [value, unit] = bytes < MB ? [bytes / KB, 'KB'] : [bytes / MB, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
