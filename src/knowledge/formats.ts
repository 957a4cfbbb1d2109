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

/** What a declared type may stand for; browsers and spreadsheets are not exact about text. */
const DECLARED: Readonly<Record<string, readonly FileFormat[]>> = {
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'text/markdown': ['md'],
  'text/x-markdown': ['md'],
  'text/html': ['html'],
  'application/xhtml+xml': ['html', 'xml'],
  'text/csv': ['csv'],
  'application/csv': ['csv'],
  // What browsers call a CSV file where a spreadsheet program is installed.
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

/** They claim nothing: programs that do not know declare them, and a form's part without a type is `text/plain`. */
const NO_CLAIM: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
]);

/** A file name's ending in lower case, without the dot; empty when it has none. */
export function extensionOf(name: string): string {
  return /[^.]\.([a-z][a-z0-9]{0,9})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** The format that a file name's ending stands for, if we know it. */
export function formatOfExtension(extension: string): FileFormat | undefined {
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/** The formats that a declared type may stand for: `any` when it claims nothing, none when we take no such file. */
export function formatsOfType(declared: string): readonly FileFormat[] | 'any' {
  const type = (declared.split(';')[0] as string).trim().toLowerCase();
  if (NO_CLAIM.has(type)) return 'any';
  return Object.hasOwn(DECLARED, type) ? (DECLARED[type] as readonly FileFormat[]) : [];
}
