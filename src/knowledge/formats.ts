import type { FileFormat } from '../contract/file.ts';

const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xml: 'xml',
  log: 'log',
};

/** The formats that a declared type may stand for; browsers and spreadsheets are inexact about text. */
const DECLARED: Readonly<Record<string, readonly FileFormat[]>> = {
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'text/markdown': ['md'],
  'text/x-markdown': ['md'],
  'text/html': ['html'],
  'application/xhtml+xml': ['html', 'xml'],
  'text/csv': ['csv'],
  'application/csv': ['csv'],
  // Browsers declare it for a CSV file if a spreadsheet program is installed.
  'application/vnd.ms-excel': ['csv', 'tsv'],
  'text/tab-separated-values': ['tsv'],
  'application/json': ['json'],
  'text/json': ['json'],
  'application/yaml': ['yaml'],
  'application/x-yaml': ['yaml'],
  'text/yaml': ['yaml'],
  'text/x-yaml': ['yaml'],
  'application/xml': ['xml', 'html'],
  'text/xml': ['xml', 'html'],
  'text/x-log': ['log'],
};

/** Types that tell nothing: declared by programs that don't know the type, or the default of a form's part. */
const NO_CLAIM: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
]);

/** A file name's extension in lower case, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^.]\.([a-z][a-z0-9]{0,9})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** The format of a file name's extension; undefined if unknown. */
export function formatOfExtension(extension: string): FileFormat | undefined {
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/** The formats that a declared type may stand for: `any` if it tells nothing, none if it is unsupported. */
export function formatsOfType(declared: string): readonly FileFormat[] | 'any' {
  const type = (declared.split(';')[0] as string).trim().toLowerCase();
  if (NO_CLAIM.has(type)) return 'any';
  return Object.hasOwn(DECLARED, type) ? (DECLARED[type] as readonly FileFormat[]) : [];
}
